import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { PayInvoiceDocument } from './invoice.generated.ts';
import { MethodSelect } from './method-select.tsx';

interface Props {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly onClose: () => void;
}

/** Charges what is due of an invoice, with the default payment method or another one. */
export function PayDialog({ invoiceId, customerId, onClose }: Props) {
  const method = useField<string | null>(null);
  return (
    <CommandDialog
      title="Charge the customer"
      onClose={onClose}
      document={PayInvoiceDocument}
      variables={{ id: invoiceId, ...(method.value && { paymentMethodId: method.value }) }}
      label="Charge"
      done="The payment method was charged"
    >
      <MethodSelect customerId={customerId} {...method} />
    </CommandDialog>
  );
}
