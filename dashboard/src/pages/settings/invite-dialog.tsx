import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { InviteOperatorDocument } from './operators.generated.ts';

/** The roles, with what each may do. */
export const roles = [
  { value: 'owner', label: 'Owner: everything' },
  { value: 'finance', label: 'Finance: customers, invoices, payments' },
  { value: 'developer', label: 'Developer: catalog, keys, webhooks, usage' },
  { value: 'support', label: 'Support: reads everything' },
];

/** Invites a person, and shows the link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string | null>('support');
  const [url, setUrl] = useState<string>();
  const isComplete = /^\S+@\S+\.\S+$/.test(email.trim());
  return (
    <>
      <CommandDialog
        title="Invite a person"
        isOpen={url === undefined}
        onClose={() => {}}
        onCancel={onClose}
        document={InviteOperatorDocument}
        variables={isComplete ? { email: email.trim(), role: role as 'owner' } : undefined}
        label="Invite"
        done="The invitation is made"
        onDone={({ inviteOperator: invited }) => setUrl(invited?.url)}
      >
        <TextInput
          label="E-mail"
          type="email"
          data-autofocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Select label="Role" data={roles} value={role} onChange={setRole} allowDeselect={false} />
      </CommandDialog>
      <SecretDialog title="Send this link to the person" secret={url} onClose={onClose} />
    </>
  );
}
