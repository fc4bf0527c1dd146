import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Accordion, Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { OperationSample } from '../console/operation-sample.tsx';
import { useFocusReturn } from '../parts/use-focus-return.ts';
import { EffectsList } from './effects-list.tsx';
import { usePreview } from './use-preview.ts';

interface Props<Data, Variables> {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** The variables as the form states them; undefined while it is incomplete. */
  readonly variables: Variables | undefined;
  /** The label of the button, such as "Void the invoice". */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** The message after success. */
  readonly done: string;
  readonly onDone?: (data: Data) => void;
  /** Closes the dialog without a command; `onClose` when absent. */
  readonly onCancel?: () => void;
  /** A preview of its own, above the list of effects. */
  readonly more?: ReactNode;
  /** The form. */
  readonly children?: ReactNode;
}

/**
 * A command: its form, its exact effects from a dry run, and the call that executes it. Its button is armed when the
 * dry run of exactly these variables has succeeded.
 */
export function CommandDialog<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const { title, isOpen, onClose, onCancel = onClose, children } = props;
  useFocusReturn();
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {children}
        {isOpen && <Execution {...props} />}
      </Stack>
    </Modal>
  );
}

function Execution<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const {
    document,
    variables,
    label,
    isDangerous,
    done,
    onDone,
    onClose,
    onCancel = onClose,
    more,
  } = props;
  const client = useClient();
  const planned = usePreview(document, variables);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function execute() {
    if (!variables) return;
    setBusy(true);
    setProblem(undefined);
    const { data, error } = await client.mutation(document, variables).toPromise();
    setBusy(false);
    if (error || data === undefined) {
      return setProblem((error?.message ?? 'The service did not answer').replace(/^\[\w+\] /, ''));
    }
    notifications.show({ message: done, color: 'teal' });
    onClose();
    onDone?.(data);
  }

  const error = problem ?? planned.error?.message;
  return (
    <>
      <Stack gap="xs" component="section" aria-label="Preview" aria-live="polite" mih={60}>
        <Text size="sm" fw={600}>
          Preview
        </Text>
        {error && (
          <Alert color="red" role="alert">
            {error}
            {planned.error?.issues.map(({ path, message }) => (
              <Text key={path.join('.')} size="sm">
                {path.join('.')}: {message}
              </Text>
            ))}
          </Alert>
        )}
        {planned.isLoading && <Loader size="sm" aria-label="Planning" />}
        {!variables && (
          <Text size="sm" c="dimmed">
            Complete the form to see the effects.
          </Text>
        )}
        {more}
        {planned.effects && <EffectsList effects={planned.effects} />}
      </Stack>
      {variables && (
        <Accordion variant="separated">
          <Accordion.Item value="api">
            <Accordion.Control>Show as API</Accordion.Control>
            <Accordion.Panel>
              <OperationSample document={document} variables={variables} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          color={isDangerous ? 'red' : undefined}
          disabled={!planned.effects}
          loading={isBusy}
          onClick={() => void execute()}
        >
          {label}
        </Button>
      </Group>
    </>
  );
}
