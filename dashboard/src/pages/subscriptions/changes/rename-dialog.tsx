import { TextCommandDialog } from '../../../commands/text-command-dialog.tsx';
import { UpdateSubscriptionDocument } from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

/** Changes the name of a subscription, which the customer sees. */
export function RenameDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, version, name: before } = subscription;
  return (
    <TextCommandDialog
      title="Rename the subscription"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={(name) => name && name !== before && { id, version, subscription: { name } }}
      label="Rename"
      done="The subscription is renamed"
      field={{
        label: 'Name',
        description: 'The customer sees it',
        dir: 'auto',
        'data-autofocus': true,
      }}
      text={before ?? ''}
    />
  );
}
