import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import type { AnyVariables } from 'urql';
import { CommandDialog } from './command-dialog.tsx';

/** A command with its variables; nothing in their place while the form is incomplete. */
type Call<Data, Variables> = readonly [
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | undefined | null | false | '' | 0,
];

interface Props<Created, New, Changed, Next> {
  /** The word for the record, such as "feature". */
  readonly name: string;
  readonly create: Call<Created, New>;
  /** Absent while the record is new. */
  readonly update: Call<Changed, Next> | false | undefined;
  readonly onClose: () => void;
  /** The title and the message of a change, where they are others than usual. */
  readonly title?: string;
  readonly done?: string;
  /** The form. */
  readonly children: ReactNode;
}

/** Creates a record, or changes one. */
export function SaveDialog<Created, New extends AnyVariables, Changed, Next extends AnyVariables>(
  props: Props<Created, New, Changed, Next>,
) {
  const { name, create, update, onClose, title = `Edit the ${name}`, children } = props;
  const { done = `The ${name} is changed` } = props;
  if (!update) {
    return (
      <CommandDialog
        title={`New ${name}`}
        onClose={onClose}
        document={create[0]}
        variables={create[1]}
        label="Create"
        done={`The ${name} is created`}
      >
        {children}
      </CommandDialog>
    );
  }
  return (
    <CommandDialog
      title={title}
      onClose={onClose}
      document={update[0]}
      variables={update[1]}
      label="Save"
      done={done}
    >
      {children}
    </CommandDialog>
  );
}
