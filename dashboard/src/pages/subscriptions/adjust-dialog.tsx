import { Alert, NumberInput, Select, Table } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { usePreview } from '../../commands/use-preview.ts';
import { wordsOf } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { PriceSelect } from '../../parts/price-select.tsx';
import {
  AdjustSubscriptionDocument,
  type OneSubscriptionQuery,
  PreviewAdjustmentDocument,
  type PreviewAdjustmentMutation,
} from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;
type Preview = NonNullable<PreviewAdjustmentMutation['previewSubscriptionAdjustment']>;

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly subscription: Subscription;
}

const timings = [
  { value: 'auto', label: 'An upgrade now, anything else at the end of the period' },
  { value: 'immediately', label: 'Now' },
  { value: 'at_end_of_current_billing_period', label: 'At the end of the period' },
];

/** Changes the plan or the quantity of a subscription, after its money was shown. */
export function AdjustDialog({ isOpen, onClose, subscription }: Props) {
  const { id, currency, pricingModelId, itemsPage } = subscription;
  const present = itemsPage.nodes.find(({ expiredAt, price }) => !expiredAt && price);
  const [priceId, setPrice] = useState<string | null>(present?.price?.id ?? null);
  const [quantity, setQuantity] = useState<number | string>(present?.quantity ?? 1);
  const [timing, setTiming] = useState<string | null>('auto');
  const isComplete = isOpen && priceId && Number(quantity) > 0 && timing;
  const variables = isComplete
    ? {
        id,
        adjustment: {
          timing: timing as 'auto',
          newSubscriptionItems: [{ priceId, quantity: Number(quantity) }],
        },
      }
    : undefined;
  const { data } = usePreview(PreviewAdjustmentDocument, variables);
  const preview = data?.previewSubscriptionAdjustment;
  return (
    <CommandDialog
      title="Change the plan"
      isOpen={isOpen}
      onClose={onClose}
      document={AdjustSubscriptionDocument}
      variables={variables}
      label="Change"
      done="The subscription is changed"
      more={preview && <MoneyPreview preview={preview} currency={currency} />}
    >
      <PriceSelect
        pricingModelId={pricingModelId}
        currency={currency}
        value={priceId}
        onChange={setPrice}
      />
      <NumberInput
        label="Quantity"
        min={1}
        allowDecimal={false}
        value={quantity}
        onChange={setQuantity}
      />
      <Select
        label="When"
        data={timings}
        value={timing}
        onChange={setTiming}
        allowDeselect={false}
      />
    </CommandDialog>
  );
}

/** The amounts of an adjustment. */
function MoneyPreview({
  preview,
  currency,
}: {
  readonly preview: Preview;
  readonly currency: string;
}) {
  if (!preview.canAdjust) return <Alert color="orange">{preview.reason}</Alert>;
  const amounts = [
    ['Plan now', preview.currentPlanTotal],
    ['New plan', preview.newPlanTotal],
    ['Proration', preview.prorationAmount],
    ['Credit', preview.creditAmount],
    ['Discount', preview.discountAmount],
    ['Due now', preview.amountDue],
  ] as const;
  return (
    <Table fz="sm" withTableBorder aria-label="Amounts of the change">
      <Table.Tbody>
        {amounts.map(
          ([name, amount]) =>
            amount !== null && (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="end">
                  <Money amount={amount} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ),
        )}
        <Table.Tr>
          <Table.Td>Takes effect</Table.Td>
          <Table.Td ta="end">
            {preview.effectiveDate ? (
              <Instant at={preview.effectiveDate} />
            ) : (
              wordsOf(preview.resolvedTiming ?? 'immediately')
            )}
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
