import { Alert, Button, Group, JsonInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CommandButton } from '../../commands/command-button.tsx';
import type { MutationName } from '../../commands/mutations.generated.ts';
import { IconDownload } from '../../icons/icons.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { PlanList } from './plan-list.tsx';
import type { Planned } from './use-plan.ts';

interface Props {
  /** The mutation that plans and applies it. */
  readonly does: MutationName;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly planned: Planned;
  readonly onClose: () => void;
  readonly onApplied: () => void;
  /** The name of the file that it is saved as. */
  readonly fileName: string;
}

/** A catalog document: edit it, look at the plan, and apply exactly that plan. */
export function DocumentEditor(props: Props) {
  const { does, text, onText, planned, onClose, onApplied, fileName } = props;
  const { plan, error, isBusy, look, apply } = planned;
  const changes = plan ? plan.created.length + plan.changed.length + plan.retired.length : 0;
  return (
    <Stack>
      <JsonInput
        label="Document"
        description="Parts that it leaves out are retired"
        value={text}
        onChange={onText}
        autosize
        minRows={10}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {error && (
        <Alert color="red" role="alert" title={error.message}>
          {error.issues.map(({ path, message }) => (
            <Text key={`${path.join('.')} ${message}`} size="sm">
              {path.join('.')}: {message}
            </Text>
          ))}
        </Alert>
      )}
      {plan && <PlanList plan={plan} />}
      {!plan && !error && <Dimmed>Look at the plan before you apply it.</Dimmed>}
      <Group justify="space-between">
        <Button
          variant="subtle"
          leftSection={<IconDownload size={16} />}
          component="a"
          href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
          download={fileName}
        >
          Download
        </Button>
        <Group>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <CommandButton
            does={does}
            variant="default"
            loading={isBusy}
            disabled={plan !== undefined}
            onClick={() => void look()}
          >
            Show the plan
          </CommandButton>
          <CommandButton
            does={does}
            disabled={changes === 0 || isBusy}
            onClick={async () => {
              if (!(await apply())) return;
              notifications.show({ message: 'The document is applied', color: 'teal' });
              onClose();
              onApplied();
            }}
          >
            Apply
          </CommandButton>
        </Group>
      </Group>
    </Stack>
  );
}
