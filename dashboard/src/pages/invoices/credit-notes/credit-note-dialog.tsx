import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { moneyText, wordsOf } from '../../../parts/texts/formats.ts';
import { Remark } from '../../../parts/texts/small-texts.tsx';
import { CreateCreditNoteDocument, type OneInvoiceQuery } from '../invoice.generated.ts';
import { type CreditedLines, CreditNoteLines, creditedLinesInput } from './credit-note-lines.tsx';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;
type Part = 'whole' | 'amount' | 'lines';

const parts = [
  { value: 'whole', label: 'All of it' },
  { value: 'amount', label: 'An amount' },
  { value: 'lines', label: 'Lines' },
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
  invoice,
  onClose,
}: {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}) {
  const { id, total, amountCredited, amountPaid, amountDue, currency, status } = invoice;
  const money = (amount: number) => moneyText(amount, currency);
  const [part, setPart] = useState<Part>('whole');
  const amount = useField<number | undefined>(total - amountCredited);
  const [credited, setCredited] = useState<CreditedLines>({});
  const settle = useField(status === 'open' ? 'write_off' : 'refund');
  const reason = useField('requested_by_customer');
  const description = useField('');
  const lines = creditedLinesInput(credited);
  const what = {
    whole: { whole: true },
    amount: amount.value ? { amount: amount.value } : undefined,
    lines: lines && { lines },
  }[part];
  return (
    <CommandDialog
      title="Create a credit note"
      onClose={onClose}
      document={CreateCreditNoteDocument}
      variables={
        what && {
          creditNote: {
            ...what,
            invoiceId: id,
            settle: settle.value as 'credit',
            reason: reason.value as 'other',
            ...(description.value.trim() && { description: description.value.trim() }),
          },
        }
      }
      label="Create"
      done="The credit note is created"
    >
      <Stack gap={4}>
        <SegmentedControl
          aria-label="What is credited"
          data={parts}
          value={part}
          onChange={(value) => setPart(value as Part)}
        />
        <Remark>
          {money(total - amountCredited)} can still be credited: {money(amountPaid)} is paid,{' '}
          {money(amountDue)} is due.
        </Remark>
      </Stack>
      {part === 'amount' && <AmountInput label="Amount with tax" currency={currency} {...amount} />}
      {part === 'lines' && (
        <CreditNoteLines invoice={invoice} credited={credited} onChange={setCredited} />
      )}
      <Choice
        label="Settlement"
        data={{
          refund: 'Refund the payment',
          credit: 'Add it to the credit balance',
          write_off: 'Write off what is due',
        }}
        {...settle}
      />
      <Choice label="Reason" data={reasons} {...reason} />
      <TextField
        label="Description"
        description="Printed on the credit note"
        dir="auto"
        {...description}
      />
    </CommandDialog>
  );
}
