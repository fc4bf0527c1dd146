import { Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { usePreview } from '../../../commands/use-preview.ts';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import {
  CancelSubscriptionDocument,
  type OneSubscriptionQuery,
  PreviewCancellationDocument,
} from '../subscription.generated.ts';
import { CancellationPreview } from './cancellation-preview.tsx';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

const credits = [
  { value: 'none', label: 'Nothing' },
  { value: 'balance', label: 'To the credit balance' },
  { value: 'refund', label: 'By a refund' },
];

/** Ends a subscription now, with its period or at a time, after the amounts that it returns were shown. */
export function CancelDialog({ subscription, onClose }: Props) {
  const { id, currency, currentBillingPeriodEnd, customer, renews, status } = subscription;
  const now = customer.testClock?.frozenTime ?? Date.now();
  const isPlanned = renews && status !== 'paused';
  const [timing, setTiming] = useState(
    isPlanned ? 'at_end_of_current_billing_period' : 'immediately',
  );
  const [end, setEnd] = useState<number | null>(null);
  const [credit, setCredit] = useState('none');
  const cancelAt = end ?? undefined;
  const isEarly = timing !== 'at_end_of_current_billing_period';
  const cancellation = {
    timing: timing as 'immediately',
    ...(timing === 'at_date' && { cancelAt: cancelAt ?? null }),
    ...(isEarly && { credit: credit as 'none' }),
  };
  const variables =
    timing === 'at_date' && cancelAt === undefined ? undefined : { id, cancellation };
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
      <Radio.Group label="When" value={timing} onChange={setTiming}>
        <Stack gap="xs" mt="xs">
          {isPlanned && (
            <Radio
              value="at_end_of_current_billing_period"
              label="At the end of the period"
              description={currentBillingPeriodEnd && dayText(currentBillingPeriodEnd)}
            />
          )}
          {isPlanned && (
            <Radio
              value="at_date"
              label="At a time"
              description="A later period in which it ends is charged for its share"
            />
          )}
          <Radio value="immediately" label="Now" description="The features end now" />
        </Stack>
      </Radio.Group>
      {timing === 'at_date' && (
        <TimeInput label="Ends" required earliest={now} value={end} onChange={setEnd} />
      )}
      {isEarly && (
        <Select
          label="Return unused time"
          description="Open invoices are reduced first. What a refund cannot return goes to the balance."
          data={credits}
          value={credit}
          onChange={(value) => setCredit(value ?? 'none')}
          allowDeselect={false}
        />
      )}
    </CommandDialog>
  );
}
