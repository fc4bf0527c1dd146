import { Select } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { wordsOf } from '../../parts/formats.ts';
import { CreateCreditNoteDocument, type OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

const settlements = [
  { value: 'refund', label: 'Refund the payment' },
  { value: 'credit', label: 'Add to the credit balance' },
  { value: 'write_off', label: 'Write off what is due' },
];

const reasons = [
  'requested_by_customer',
  'product_unsatisfactory',
  'order_change',
  'duplicate',
  'fraudulent',
  'uncollectible',
  'other',
].map((value) => ({ value, label: wordsOf(value) }));

/** Credits an invoice, in part or as a whole. */
export function CreditNoteDialog({
  invoice: { id, total, currency, status },
  onClose,
}: {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}) {
  const [amount, setAmount] = useState<number | undefined>(total);
  const [settle, setSettle] = useState<string | null>(status === 'open' ? 'write_off' : 'credit');
  const [reason, setReason] = useState<string | null>('requested_by_customer');
  const creditNote = amount &&
    settle &&
    reason && {
      invoiceId: id,
      amount,
      settle: settle as 'credit',
      reason: reason as 'other',
    };
  return (
    <CommandDialog
      title="Create a credit note"
      isOpen
      onClose={onClose}
      document={CreateCreditNoteDocument}
      variables={creditNote ? { creditNote } : undefined}
      label="Create"
      done="The credit note is created"
    >
      <AmountInput label="Amount" currency={currency} value={amount} onChange={setAmount} />
      <Select
        label="Settlement"
        data={settlements}
        value={settle}
        onChange={setSettle}
        allowDeselect={false}
      />
      <Select
        label="Reason"
        data={reasons}
        value={reason}
        onChange={setReason}
        allowDeselect={false}
      />
    </CommandDialog>
  );
}
