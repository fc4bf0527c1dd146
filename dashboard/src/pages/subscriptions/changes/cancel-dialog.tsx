import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { usePreview } from '../../../commands/use-preview.ts';
import { Choice } from '../../../parts/fields/choice.tsx';
import { Radios } from '../../../parts/fields/radios.tsx';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { dayText } from '../../../parts/texts/days.ts';
import {
  CancelSubscriptionDocument,
  PreviewCancellationDocument,
} from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';
import { CancellationPreview } from './cancellation-preview.tsx';

const credits = {
  none: 'Nothing',
  balance: 'To the credit balance',
  refund: 'By a refund',
} as const;

/** Ends a subscription now, with its period or at a time, after the amounts that it returns were shown. */
export function CancelDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, currency, currentBillingPeriodEnd, customer, renews, status } = subscription;
  const now = customer.testClock?.frozenTime ?? Date.now();
  const isPlanned = renews && status !== 'paused';
  const timing = useField(isPlanned ? 'at_end_of_current_billing_period' : 'immediately');
  const end = useField<number | null>(null);
  const credit = useField('none');
  const cancelAt = end.value ?? undefined;
  const isEarly = timing.value !== 'at_end_of_current_billing_period';
  const cancellation = {
    timing: timing.value as 'immediately',
    ...(timing.value === 'at_date' && { cancelAt: cancelAt ?? null }),
    ...(isEarly && { credit: credit.value as 'none' }),
  };
  const variables =
    timing.value === 'at_date' && cancelAt === undefined ? undefined : { id, cancellation };
  const { data } = usePreview(PreviewCancellationDocument, variables);
  const preview = data?.previewSubscriptionCancellation?.cancellationPreview;
  return (
    <CommandDialog
      title="Cancel the subscription"
      onClose={onClose}
      document={CancelSubscriptionDocument}
      variables={variables}
      label="Cancel the subscription"
      isDangerous
      done="The subscription is canceled"
      more={preview && <CancellationPreview preview={preview} currency={currency} />}
    >
      <Radios
        label="When"
        data={[
          isPlanned && {
            value: 'at_end_of_current_billing_period',
            label: 'At the end of the period',
            description: currentBillingPeriodEnd && dayText(currentBillingPeriodEnd),
          },
          isPlanned && {
            value: 'at_date',
            label: 'At a time',
            description: 'A later period in which it ends is charged for its share',
          },
          { value: 'immediately', label: 'Now', description: 'The features end now' },
        ]}
        {...timing}
      />
      {timing.value === 'at_date' && <TimeInput label="Ends" required earliest={now} {...end} />}
      {isEarly && (
        <Choice
          label="Return unused time"
          description="Open invoices are reduced first. What a refund cannot return goes to the balance."
          data={credits}
          {...credit}
        />
      )}
    </CommandDialog>
  );
}
