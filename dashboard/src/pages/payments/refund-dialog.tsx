import { SegmentedControl } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { moneyText } from '../../parts/texts/formats.ts';
import { RefundPaymentDocument } from './payment.generated.ts';

interface Props {
  readonly payment: {
    readonly id: string;
    readonly amount: number;
    readonly refundedAmount: number;
    readonly currency: string;
  };
  readonly onClose: () => void;
}

const parts = [
  { value: 'full', label: 'In full' },
  { value: 'part', label: 'In part' },
];

/** Refunds a payment, in part or in full. */
export function RefundDialog({ payment, onClose }: Props) {
  const { id, amount, refundedAmount, currency } = payment;
  const left = amount - refundedAmount;
  const part = useField('full');
  const partialAmount = useField<number>();
  const partial = partialAmount.value ? { id, partialAmount: partialAmount.value } : undefined;
  return (
    <CommandDialog
      title="Refund the payment"
      onClose={onClose}
      document={RefundPaymentDocument}
      variables={part.value === 'full' ? { id } : partial}
      label="Refund"
      isDangerous
      done="The refund is made"
    >
      <SegmentedControl aria-label="How much is refunded" data={parts} {...part} />
      {part.value === 'part' && (
        <AmountInput
          label="Amount"
          description={`At most ${moneyText(left, currency)}`}
          currency={currency}
          {...partialAmount}
        />
      )}
    </CommandDialog>
  );
}
