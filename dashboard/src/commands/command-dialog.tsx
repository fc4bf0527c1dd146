import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Accordion, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorOf, TollgateError } from '@tollgate/client/errors';
import { type MouseEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { OperationSample } from '../console/operation-sample.tsx';
import { AskingModal } from '../parts/asking-modal.tsx';
import { FieldProblems, leadTo, useUnreadField } from '../parts/fields/field-problems.tsx';
import { Dimmed } from '../parts/texts/small-texts.tsx';
import { useFocusReturn } from '../parts/use-focus-return.ts';
import { EffectsList } from './effects-list.tsx';
import { Problem } from './problem.tsx';
import { usePreview } from './use-preview.ts';

interface Props<Data, Variables> {
  readonly title: string;
  readonly onClose: () => void;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** The variables as the form states them; nothing while it is incomplete. */
  readonly variables: Variables | undefined | null | false | '' | 0;
  /** The label of the button, such as "Void the invoice". */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** The message after success. */
  readonly done: string;
  readonly onDone?: (data: Data) => void;
  /** Closes the dialog without a command; `onClose` when absent. */
  readonly onCancel?: () => void;
  /** A preview of its own, above the list of effects; of the result of the dry run where it is a function. */
  readonly more?: ReactNode | ((planned: Data) => ReactNode);
  /** The form. */
  readonly children?: ReactNode;
}

/**
 * A command: its form, its exact effects from a dry run, and the call that executes it. Its button is armed when the
 * dry run of exactly these variables has succeeded. While a field cannot be read, the button leads to that field.
 */
export function CommandDialog<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const { title, onClose, onCancel = onClose, children } = props;
  const [isFilled, setFilled] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusReturn();
  // Options and days are chosen in parts of the page outside of the form.
  const note = ({ target }: MouseEvent) => {
    if (!form.current?.contains(target as Node)) setFilled(true);
  };
  return (
    <AskingModal
      opened
      onClose={onCancel}
      title={title}
      size="lg"
      loses={isFilled ? 'Discard what you have filled in?' : undefined}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: it notes choices, and one by the keyboard is a click, too */}
      <form
        ref={form}
        noValidate
        onChange={() => setFilled(true)}
        onClick={note}
        onSubmit={(event) => event.preventDefault()}
      >
        <FieldProblems>
          <Stack>
            {children}
            <Execution {...props} form={form} />
          </Stack>
        </FieldProblems>
      </form>
    </AskingModal>
  );
}

type ExecutionProps<Data, Variables> = Props<Data, Variables> & {
  readonly form: RefObject<HTMLFormElement | null>;
};

function Execution<Data, Variables extends AnyVariables>(props: ExecutionProps<Data, Variables>) {
  const {
    document,
    label,
    isDangerous,
    done,
    onDone,
    onClose,
    onCancel = onClose,
    more,
    form,
  } = props;
  const client = useClient();
  const unread = useUnreadField();
  const variables = unread ? undefined : props.variables || undefined;
  const planned = usePreview(document, variables);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TollgateError>();

  async function execute() {
    if (unread) leadTo(unread);
    if (!variables) return;
    setBusy(true);
    setProblem(undefined);
    const { data, error } = await client.mutation(document, variables).toPromise();
    setBusy(false);
    if (error || data === undefined) {
      const [refusal] = error?.graphQLErrors ?? [];
      return setProblem(
        refusal ? errorOf(refusal) : new TollgateError('NETWORK', 'The service did not answer'),
      );
    }
    notifications.show({ message: done, color: 'teal' });
    onClose();
    onDone?.(data);
  }

  const error = problem ?? planned.error;
  return (
    <>
      <Stack gap="xs" component="section" aria-label="Preview" aria-live="polite" mih={60}>
        <Text size="sm" fw={600}>
          Preview
        </Text>
        {error && (
          <Problem
            error={error}
            form={form.current}
            variables={variables}
            onRetry={planned.error && planned.retry}
          />
        )}
        {planned.isLoading && <Loader size="sm" aria-label="Planning" />}
        {!variables && (
          <Dimmed>
            {unread ? `Correct “${unread.label}”` : 'Complete the form'} to see the effects.
          </Dimmed>
        )}
        {!unread && (typeof more === 'function' ? planned.data && more(planned.data) : more)}
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
          disabled={!unread && !planned.effects}
          loading={isBusy}
          type="submit"
          onClick={(event) => {
            event.preventDefault();
            void execute();
          }}
        >
          {label}
        </Button>
      </Group>
    </>
  );
}
