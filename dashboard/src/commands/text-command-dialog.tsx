import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import type { AnyVariables } from 'urql';
import { TextField } from '../parts/fields/text-field.tsx';
import { useField } from '../parts/fields/use-field.ts';
import { CommandDialog } from './command-dialog.tsx';

interface Props<Data, Variables> {
  readonly title: string;
  readonly onClose: () => void;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** The variables with the text, without the spaces around it; nothing while it is incomplete. */
  readonly variables: (text: string) => Variables | undefined | null | false | '' | 0;
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly done: string;
  readonly onDone?: (data: Data) => void;
  /** The field of the text. */
  readonly field: Omit<Parameters<typeof TextField>[0], 'onChange' | 'value'> & {
    readonly 'data-autofocus'?: true;
  };
  /** The text at the start. */
  readonly text?: string;
  /** Above the field. */
  readonly children?: ReactNode;
}

/** A command with one text, such as a name or a reason. */
export function TextCommandDialog<Data, Variables extends AnyVariables>(
  props: Props<Data, Variables>,
) {
  const { variables, field, text: given = '', children, ...command } = props;
  const text = useField(given);
  return (
    <CommandDialog {...command} variables={variables(text.value.trim())}>
      {children}
      <TextField {...field} {...text} />
    </CommandDialog>
  );
}
