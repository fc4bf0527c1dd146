import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { AnyVariables } from 'urql';
import { CommandButton, RowButton } from './command-button.tsx';
import { CommandDialog } from './command-dialog.tsx';
import type { Action } from './more-actions.tsx';
import type { MutationName } from './mutations.generated.ts';

/** A command without a form, as data. */
export interface Confirmed<Data, Variables> {
  readonly does: MutationName;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** The title of the dialog. */
  readonly title: string;
  /** The text of the dialog. */
  readonly text?: ReactNode;
  /** The label of the button that executes it. */
  readonly label: string;
  /** The label of the button or item that opens the dialog, where it is another one. */
  readonly opener?: string;
  readonly color?: 'red' | undefined;
  readonly isDangerous?: boolean;
  /** The message after success. */
  readonly done: string;
}

interface Call<Data, Variables> {
  readonly command: Confirmed<Data, Variables>;
  readonly variables: Variables;
  /** The text of the dialog, where that depends on the record. */
  readonly text?: ReactNode;
  readonly onDone?: (data: Data) => void;
}

/** The dialog of a command without a form. */
function ConfirmDialog<Data, Variables extends AnyVariables>({
  command: { does: _, opener: __, color: ___, text: usual, ...command },
  text = usual,
  ...props
}: Call<Data, Variables> & { readonly onClose: () => void }) {
  return (
    <CommandDialog {...command} {...props}>
      {text && <Text size="sm">{text}</Text>}
    </CommandDialog>
  );
}

type Button = Omit<ComponentProps<typeof CommandButton>, 'does' | 'dialog' | 'onClick'>;

/** The button of a command without a form, and its dialog. */
export function ConfirmButton<Data, Variables extends AnyVariables>(
  props: Call<Data, Variables> & Button & { readonly of?: typeof CommandButton },
) {
  const { command, variables, text, onDone, of: Of = CommandButton, ...button } = props;
  return (
    <Of
      does={command.does}
      color={command.color}
      {...button}
      dialog={(onClose) => (
        <ConfirmDialog {...{ command, variables, text, onClose }} {...(onDone && { onDone })} />
      )}
    >
      {command.opener ?? command.label}
    </Of>
  );
}

/** The same in a row. */
export const RowConfirm = <Data, Variables extends AnyVariables>(
  props: Call<Data, Variables> & Button,
) => <ConfirmButton of={RowButton} {...props} />;

/** The item of a menu for a command without a form. */
export const confirmItem = <Data, Variables extends AnyVariables>(
  command: Confirmed<Data, Variables>,
  variables: Variables,
  {
    disabled,
    ...more
  }: Pick<Call<Data, Variables>, 'text' | 'onDone'> & { readonly disabled?: boolean } = {},
): Action => [
  command.opener ?? command.label,
  command.does,
  (onClose) => <ConfirmDialog {...{ command, variables, onClose }} {...more} />,
  { ...(command.color && { color: command.color }), ...(disabled && { disabled }) },
];
