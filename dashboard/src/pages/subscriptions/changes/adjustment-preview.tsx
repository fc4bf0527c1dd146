import { Alert, Table } from '@mantine/core';
import { numberText, wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { methodName } from '../../../parts/texts/method-name.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { Remark } from '../../../parts/texts/small-texts.tsx';
import type { PreviewAdjustmentMutation } from '../subscription.generated.ts';

type Answer = NonNullable<PreviewAdjustmentMutation['previewSubscriptionAdjustment']>;
type Preview = Answer['adjustmentPreview'];
type Item = NonNullable<Preview['newSubscriptionItems']>[number];

interface Props {
  readonly preview: Preview;
  readonly currency: string;
}

/** The amounts of an adjustment, and when it takes effect; or why it is not possible. */
export function AdjustmentPreview({ preview, currency }: Props) {
  if (!preview.canAdjust) return <Alert color="orange">{preview.reason}</Alert>;
  const { currentPlanTotal, newPlanTotal, discountAmount, paymentMethod, amountDue } = preview;
  const amounts = [
    ['Proration', preview.prorationAmount],
    ['Discount', discountAmount && -discountAmount],
    ['To the credit balance', preview.creditAmount],
  ] as const;
  return (
    <Table fz="sm" withTableBorder aria-label="Amounts of the change">
      <Table.Tbody>
        <PlanRow name="A period now" items={preview.currentSubscriptionItems}>
          {currentPlanTotal !== null && <Money amount={currentPlanTotal} currency={currency} />}
        </PlanRow>
        <PlanRow name="A period after the change" items={preview.newSubscriptionItems}>
          {newPlanTotal !== null && <Money amount={newPlanTotal} currency={currency} />}
        </PlanRow>
        {amounts.map(
          ([name, amount]) =>
            amount !== null &&
            amount !== 0 && (
              <PlanRow key={name} name={name}>
                <Money amount={amount} currency={currency} />
              </PlanRow>
            ),
        )}
        <Table.Tr>
          <Table.Td>Takes effect</Table.Td>
          <Table.Td ta="end">
            {preview.resolvedTiming === 'immediately' || !preview.effectiveDate ? (
              wordsOf(preview.resolvedTiming === 'immediately' ? 'now' : 'at the end of the period')
            ) : (
              <Instant at={preview.effectiveDate} />
            )}
            {preview.newIntervalStart && (
              <Remark>
                The new interval begins <Instant at={preview.newIntervalStart} />
              </Remark>
            )}
          </Table.Td>
        </Table.Tr>
        {preview.scheduledAdjustment && (
          <PlanRow
            name="Scheduled change"
            items={
              preview.scheduledAdjustment === 'replaced' ? null : preview.scheduledSubscriptionItems
            }
          >
            {scheduleTexts[preview.scheduledAdjustment]}
          </PlanRow>
        )}
        {amountDue !== null && (
          <Table.Tr fw={600}>
            <Table.Td>
              Due now
              {amountDue > 0 && paymentMethod && (
                <Remark>
                  {methodName({ type: paymentMethod.type, paymentMethodData: paymentMethod })}
                </Remark>
              )}
            </Table.Td>
            <Table.Td ta="end">
              <Money amount={amountDue} currency={currency} />
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

const scheduleTexts = {
  kept: 'Applies as planned',
  merged: 'Applies on top',
  replaced: 'Is replaced',
  dropped: 'Does not apply',
} as const;

interface PlanRowProps {
  readonly name: string;
  readonly items?: readonly Item[] | null;
  readonly children: React.ReactNode;
}

const PlanRow = ({ name, items, children }: PlanRowProps) => (
  <Table.Tr>
    <Table.Td>
      {name}
      {items && <Remark dir="auto">{items.map(textOf).join(', ')}</Remark>}
    </Table.Td>
    <Table.Td ta="end">{children}</Table.Td>
  </Table.Tr>
);

const textOf = ({ name, quantity }: Item) =>
  quantity === 1 ? name : `${numberText(quantity)} × ${name}`;
