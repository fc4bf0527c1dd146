import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { moneyText } from '../../parts/texts/formats.ts';
import { dayInput, emptyReceipt, ReceiptFields, receiptInput } from './receipt-fields.tsx';
import { RecordPaymentDocument } from './remittance.generated.ts';

interface Props {
  readonly invoice: {
    readonly id: string;
    readonly amountDue: number;
    readonly currency: string;
  };
  readonly onClose: () => void;
}

/** Records money that arrived for an invoice: a part, all of it, or more. */
export function RecordPaymentDialog({ invoice: { id, amountDue, currency }, onClose }: Props) {
  const amount = useField<number | undefined>(amountDue || undefined);
  const receipt = useField(emptyReceipt);
  return (
    <CommandDialog
      title="Record a payment"
      onClose={onClose}
      document={RecordPaymentDocument}
      variables={
        amount.value && {
          invoiceId: id,
          amount: amount.value,
          ...receiptInput(receipt.value),
          ...dayInput('receivedAt', receipt.value),
        }
      }
      label="Record"
      done="The payment is recorded"
    >
      <AmountInput
        label="Amount"
        description={`${moneyText(amountDue, currency)} is due. More than that goes to the credit balance.`}
        currency={currency}
        {...amount}
      />
      <ReceiptFields {...receipt} dayLabel="Received on" dayDescription="Today when empty" />
    </CommandDialog>
  );
}
