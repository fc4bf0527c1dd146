import { SecretCommandDialog } from '../../commands/secret-command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { InviteOperatorDocument } from './operators.generated.ts';

/** The roles, with what each may do. */
export const roles = {
  owner: 'Owner: everything',
  finance: 'Finance: customers, invoices, payments',
  developer: 'Developer: catalog, keys, webhooks, usage',
  support: 'Support: reads everything',
} as const;

/** Invites a person, and shows the link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const email = useField('');
  const role = useField<string | null>('support');
  const isComplete = /^\S+@\S+\.\S+$/.test(email.value.trim());
  return (
    <SecretCommandDialog
      title="Invite a person"
      onClose={onClose}
      document={InviteOperatorDocument}
      variables={isComplete && { email: email.value.trim(), role: role.value as 'owner' }}
      label="Invite"
      done="The invitation is made"
      secretTitle="Send this link to the person"
      secretOf={({ inviteOperator: invited }) => invited?.url}
    >
      <TextField label="E-mail" type="email" data-autofocus {...email} />
      <Choice label="Role" data={roles} {...role} />
    </SecretCommandDialog>
  );
}
