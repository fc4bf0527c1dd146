import { Text } from '@mantine/core';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import {
  CancelScheduledAdjustmentDocument,
  UncancelSubscriptionDocument,
} from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

/** Cancels the scheduled end of a subscription. */
export const UncancelDialog = ({
  onClose,
  subscription: { id, cancelScheduledAt },
}: SubscriptionDialogProps) => (
  <CommandDialog
    title="Keep the subscription"
    onClose={onClose}
    document={UncancelSubscriptionDocument}
    variables={{ id }}
    label="Keep it"
    done="The subscription renews again"
  >
    {cancelScheduledAt && <Text size="sm">It will not end on {dayText(cancelScheduledAt)}.</Text>}
  </CommandDialog>
);

/** Cancels the scheduled change of the items of a subscription. */
export const UnscheduleDialog = ({ onClose, subscription }: SubscriptionDialogProps) => (
  <CommandDialog
    title="Cancel the scheduled change"
    onClose={onClose}
    document={CancelScheduledAdjustmentDocument}
    variables={{ id: subscription.id }}
    label="Cancel the change"
    done="The scheduled change is canceled"
  >
    {subscription.scheduledAdjustmentAt && (
      <Text size="sm">
        The items of now stay after {dayText(subscription.scheduledAdjustmentAt)}.
      </Text>
    )}
  </CommandDialog>
);
