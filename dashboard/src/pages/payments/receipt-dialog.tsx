import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { CurrencySelect } from '../../parts/fields/currency-select.tsx';
import { type ChosenCustomer, CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { dayInput, emptyReceipt, ReceiptFields, receiptInput } from './receipt-fields.tsx';
import { ExpectPaymentDocument, RecordPaymentDocument } from './remittance.generated.ts';

interface Props {
  /** Whether the money has arrived, or has only been announced. */
  readonly kind: 'received' | 'expected';
  readonly onClose: () => void;
  /** The customer, where the page has one; it is chosen otherwise. */
  readonly customer?: ChosenCustomer;
}

/** Records money of a customer that has arrived, for the oldest open invoices, or that was announced. */
export function ReceiptDialog({ kind, onClose, customer: given }: Props) {
  const ownCurrency = useOwnCurrency();
  const [customer, setCustomer] = useState(given);
  const [chosen, setCurrency] = useState<string | null>(null);
  const amount = useField<number>();
  const receipt = useField(emptyReceipt);
  const currency = chosen ?? customer?.currency ?? ownCurrency ?? 'USD';
  const variables =
    customer && amount.value
      ? { customerId: customer.id, amount: amount.value, currency, ...receiptInput(receipt.value) }
      : undefined;
  const form = (
    <>
      {!given && <CustomerSelect value={customer?.id ?? null} onChange={setCustomer} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <AmountInput label="Amount" currency={currency} {...amount} />
        <CurrencySelect value={currency} onChange={setCurrency} />
      </SimpleGrid>
      <ReceiptFields
        {...receipt}
        dayLabel={kind === 'received' ? 'Received on' : 'Expected on'}
        dayDescription={kind === 'received' ? 'Today when empty' : 'Optional'}
      />
    </>
  );
  if (kind === 'received') {
    return (
      <CommandDialog
        title="Record a payment"
        onClose={onClose}
        document={RecordPaymentDocument}
        variables={variables && { ...variables, ...dayInput('receivedAt', receipt.value) }}
        label="Record"
        done="The payment is recorded"
      >
        {form}
      </CommandDialog>
    );
  }
  return (
    <CommandDialog
      title="Expect a payment"
      onClose={onClose}
      document={ExpectPaymentDocument}
      variables={variables && { ...variables, ...dayInput('expectedAt', receipt.value) }}
      label="Expect"
      done="The payment is expected"
    >
      {form}
    </CommandDialog>
  );
}
