import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { CancelExpectedPaymentDocument, RecordPaymentDocument } from './remittance.generated.ts';

interface Expected {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

interface Props {
  readonly expected: Expected;
  readonly onClose: () => void;
}

/** Receives a payment that was expected; another amount may have arrived. */
export function ReceiveDialog({ expected: { id, ...expected }, onClose }: Props) {
  const amount = useField<number | undefined>(expected.amount);
  return (
    <CommandDialog
      title="Receive the payment"
      onClose={onClose}
      document={RecordPaymentDocument}
      variables={amount.value && { remittanceId: id, amount: amount.value }}
      label="Receive"
      done="The payment is received"
    >
      <AmountInput
        label="Amount"
        description="It pays the oldest open invoices of the customer."
        currency={expected.currency}
        {...amount}
      />
    </CommandDialog>
  );
}

/** Ends the expectation of a payment. */
export const CancelExpectedDialog = ({ expected: { id }, onClose }: Props) => (
  <TextCommandDialog
    title="Cancel the expected payment"
    onClose={onClose}
    document={CancelExpectedPaymentDocument}
    variables={(reason) => ({ id, ...(reason && { reason }) })}
    label="Cancel the payment"
    isDangerous
    done="The payment is not expected any more"
    field={{ label: 'Reason', description: 'Optional', dir: 'auto' }}
  />
);
