import { Alert, Table } from '@mantine/core';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import type { PreviewCancellationMutation } from '../subscription.generated.ts';

type Answer = NonNullable<PreviewCancellationMutation['previewSubscriptionCancellation']>;

interface Props {
  readonly preview: Answer['cancellationPreview'];
  readonly currency: string;
}

/** The amounts that a cancellation returns and its effect on planned changes; or why it is not possible. */
export function CancellationPreview({ preview, currency }: Props) {
  if (!preview.canCancel) return <Alert color="orange">{preview.reason}</Alert>;
  const { endsAt, scheduledAdjustment, canceledPhaseCount } = preview;
  const amounts = [
    ['To the credit balance', preview.creditAmount],
    ['Refund', preview.refundAmount],
    ['Off open invoices', preview.writtenOffAmount],
  ] as const;
  return (
    <Table fz="sm" withTableBorder aria-label="Effect of the cancellation">
      <Table.Tbody>
        {endsAt !== null && <Row name="Ends" value={<Instant at={endsAt} />} />}
        {amounts.map(
          ([name, amount]) =>
            amount !== null &&
            amount !== 0 && (
              <Row key={name} name={name} value={<Money amount={amount} currency={currency} />} />
            ),
        )}
        {scheduledAdjustment && (
          <Row
            name="Scheduled change"
            value={scheduledAdjustment === 'kept' ? 'Applies before the end' : 'Does not apply'}
          />
        )}
        {!!canceledPhaseCount && (
          <Row name="Planned phases that do not start" value={canceledPhaseCount} />
        )}
      </Table.Tbody>
    </Table>
  );
}

const Row = ({ name, value }: { readonly name: string; readonly value: React.ReactNode }) => (
  <Table.Tr>
    <Table.Td>{name}</Table.Td>
    <Table.Td ta="end">{value}</Table.Td>
  </Table.Tr>
);
