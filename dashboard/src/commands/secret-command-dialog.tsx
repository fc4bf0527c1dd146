import { type ComponentProps, useState } from 'react';
import type { AnyVariables } from 'urql';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { CommandDialog } from './command-dialog.tsx';

type Props<Data, Variables extends AnyVariables> = Omit<
  ComponentProps<typeof CommandDialog<Data, Variables>>,
  'onCancel' | 'onDone'
> & {
  /** The title of the secret. */
  readonly secretTitle: string;
  readonly secretOf: (data: Data) => string | undefined;
};

/** A command whose answer has a secret, which is shown once. */
export function SecretCommandDialog<Data, Variables extends AnyVariables>(
  props: Props<Data, Variables>,
) {
  const { secretTitle, secretOf, onClose, ...command } = props;
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return <SecretDialog title={secretTitle} secret={secret} onClose={onClose} />;
  }
  return (
    <CommandDialog
      {...command}
      onClose={() => {}}
      onCancel={onClose}
      onDone={(data) => setSecret(secretOf(data))}
    />
  );
}
