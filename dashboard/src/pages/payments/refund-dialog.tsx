import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { type OnePaymentQuery, RefundPaymentDocument } from './payment.generated.ts';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** Refunds a payment, in part or in full. */
export function RefundDialog({
  payment: { id, amount, refundedAmount, creditedAmount, currency },
  onClose,
}: {
  readonly payment: Payment;
  readonly onClose: () => void;
}) {
  const left = amount - refundedAmount - creditedAmount;
  const [partialAmount, setAmount] = useState<number | undefined>(left);
  return (
    <CommandDialog
      title="Refund the payment"
      isOpen
      onClose={onClose}
      document={RefundPaymentDocument}
      variables={partialAmount ? { id, partialAmount } : undefined}
      label="Refund"
      isDangerous
      done="The refund is made"
    >
      <AmountInput label="Amount" currency={currency} value={partialAmount} onChange={setAmount} />
    </CommandDialog>
  );
}
