import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { UpdateSubscriptionDocument } from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

/** Changes the name of a subscription, which the customer sees. */
export function RenameDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, version } = subscription;
  const text = useField(subscription.name ?? '');
  const name = text.value.trim();
  return (
    <CommandDialog
      title="Rename the subscription"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={
        name && name !== subscription.name ? { id, version, subscription: { name } } : undefined
      }
      label="Rename"
      done="The subscription is renamed"
    >
      <TextField
        label="Name"
        description="The customer sees it"
        dir="auto"
        data-autofocus
        {...text}
      />
    </CommandDialog>
  );
}
