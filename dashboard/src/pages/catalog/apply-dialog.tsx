import { Alert, Button, Group, JsonInput, Loader, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { effectsOf } from '../../commands/effects.ts';
import { useConnection } from '../../live/service.tsx';
import {
  ApplyCatalogDocument,
  type ApplyCatalogMutationVariables,
  ExportPricingModelDocument,
} from './catalog.generated.ts';
import type { Model } from './catalog-tree.tsx';
import { type CatalogPlan, PlanList } from './plan-list.tsx';

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
}

/** A pricing model as a document: edit it, look at the plan, and apply exactly that plan. */
export function ApplyDialog({ model, onClose }: Props) {
  const [{ data, error }] = useQuery({
    query: ExportPricingModelDocument,
    variables: { id: model.id },
    requestPolicy: 'network-only',
  });
  const exported = data?.exportPricingModel?.pricingModel;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${model.name} as a document`}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && <Alert color="red">{error.message}</Alert>}
      {!exported && !error && <Loader aria-label="Loading" />}
      {exported !== undefined && exported !== null && (
        <Editor text={JSON.stringify(exported, null, 2)} onClose={onClose} />
      )}
    </Modal>
  );
}

function Editor({ text: given, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const connection = useConnection();
  const client = useClient();
  const [text, setText] = useState(given);
  const [plan, setPlan] = useState<{ of: string; plan: CatalogPlan }>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function act(step: () => Promise<void>) {
    setBusy(true);
    setProblem(undefined);
    try {
      await step();
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  }

  const document = () => ({ pricingModel: JSON.parse(text) }) as ApplyCatalogMutationVariables;
  const look = () =>
    act(async () => {
      const { extensions } = await connection.execute(ApplyCatalogDocument, document(), {
        dryRun: true,
      });
      setPlan({ of: text, plan: effectsOf(extensions).catalog as CatalogPlan });
    });
  const apply = () =>
    act(async () => {
      const expectedCatalog = plan?.plan.state ?? null;
      const variables = { ...document(), expectedCatalog };
      const { error } = await client.mutation(ApplyCatalogDocument, variables).toPromise();
      if (error) throw error;
      notifications.show({ message: 'The catalog is applied', color: 'teal' });
      onClose();
    });
  const isPlanned = plan?.of === text;
  return (
    <Stack>
      <JsonInput
        label="Document"
        description="Objects that it leaves out are retired"
        value={text}
        onChange={setText}
        autosize
        minRows={12}
        maxRows={22}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {isPlanned ? (
        <PlanList plan={plan.plan} />
      ) : (
        <Text size="sm" c="dimmed">
          Look at the plan before you apply it.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="default" loading={isBusy} onClick={() => void look()}>
          Show the plan
        </Button>
        <Button disabled={!isPlanned || isBusy} onClick={() => void apply()}>
          Apply
        </Button>
      </Group>
    </Stack>
  );
}
