import { Text } from '@mantine/core';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import {
  CancelScheduledAdjustmentDocument,
  type OneSubscriptionQuery,
  UncancelSubscriptionDocument,
} from '../subscription.generated.ts';
import { CancelDialog } from './cancel-dialog.tsx';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

interface Props {
  /** The dialog that is open. */
  readonly dialog: string | undefined;
  readonly onClose: () => void;
  readonly subscription: Subscription;
}

/** The dialogs that schedule an end or a change, and those that cancel the schedule. */
export function EndDialogs({ dialog, onClose, subscription }: Props) {
  const { id, cancelScheduledAt, scheduledAdjustmentAt } = subscription;
  return (
    <>
      {dialog === 'cancel' && <CancelDialog subscription={subscription} onClose={onClose} />}
      <CommandDialog
        title="Keep the subscription"
        isOpen={dialog === 'uncancel'}
        onClose={onClose}
        document={UncancelSubscriptionDocument}
        variables={{ id }}
        label="Keep it"
        done="The subscription renews again"
      >
        {cancelScheduledAt && (
          <Text size="sm">It will not end on {dayText(cancelScheduledAt)}.</Text>
        )}
      </CommandDialog>
      <CommandDialog
        title="Cancel the scheduled change"
        isOpen={dialog === 'unschedule'}
        onClose={onClose}
        document={CancelScheduledAdjustmentDocument}
        variables={{ id }}
        label="Cancel the change"
        done="The scheduled change is canceled"
      >
        {scheduledAdjustmentAt && (
          <Text size="sm">The items of now stay after {dayText(scheduledAdjustmentAt)}.</Text>
        )}
      </CommandDialog>
    </>
  );
}
