import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { dayText } from '../../parts/formats.ts';
import {
  CancelScheduledAdjustmentDocument,
  CancelSubscriptionDocument,
  type OneSubscriptionQuery,
  UncancelSubscriptionDocument,
} from './subscription.generated.ts';

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

function CancelDialog({ subscription, onClose }: Omit<Props, 'dialog'>) {
  const { id, currentBillingPeriodEnd } = subscription;
  const [timing, setTiming] = useState('at_end_of_current_billing_period');
  return (
    <CommandDialog
      title="Cancel the subscription"
      isOpen
      onClose={onClose}
      document={CancelSubscriptionDocument}
      variables={{ id, cancellation: { timing: timing as 'immediately' } }}
      label="Cancel the subscription"
      isDangerous
      done="The subscription is canceled"
    >
      <Radio.Group label="When" value={timing} onChange={setTiming}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="at_end_of_current_billing_period"
            label="At the end of the period"
            description={currentBillingPeriodEnd && dayText(currentBillingPeriodEnd)}
          />
          <Radio
            value="immediately"
            label="Now"
            description="The features end now. The paid time is not refunded."
          />
        </Stack>
      </Radio.Group>
    </CommandDialog>
  );
}
