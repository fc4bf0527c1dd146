import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CurrencySelect } from '../../parts/fields/currency-select.tsx';
import { type ChosenCustomer, CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { startOf } from '../../parts/texts/days.ts';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { CreateInvoiceDocument } from './draft.generated.ts';
import { DraftFields } from './draft-fields.tsx';
import { type DraftLine, linesInputOf } from './draft-lines.ts';

interface Props {
  readonly onClose: () => void;
  /** The customer, where the page has one; it is chosen otherwise. */
  readonly customer?: ChosenCustomer;
  readonly onDone: (id: string) => void;
}

const firstLine: DraftLine = { key: 0, description: '', quantity: 1, price: undefined };

/** Writes a draft of an invoice with lines by hand. */
export function DraftDialog({ onClose, onDone, customer: given }: Props) {
  const ownCurrency = useOwnCurrency();
  const [customer, setCustomer] = useState(given);
  const [chosen, setCurrency] = useState<string | null>(null);
  const lines = useField<readonly DraftLine[]>([firstLine]);
  const due = useField('');
  const memo = useField('');
  const currency = chosen ?? customer?.currency ?? ownCurrency ?? 'USD';
  const invoiceLineItems = linesInputOf(lines.value);
  const dueDate = startOf(due.value);
  return (
    <CommandDialog
      title="New invoice"
      onClose={onClose}
      document={CreateInvoiceDocument}
      variables={
        customer &&
        invoiceLineItems && {
          invoice: {
            customerId: customer.id,
            currency,
            ...(dueDate !== undefined && { dueDate }),
            ...(memo.value.trim() && { memo: memo.value.trim() }),
          },
          invoiceLineItems,
        }
      }
      label="Create the draft"
      done="The draft is created"
      onDone={({ createInvoice: created }) => created && onDone(created.invoice.id)}
    >
      {!given && <CustomerSelect value={customer?.id ?? null} onChange={setCustomer} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <CurrencySelect value={currency} onChange={setCurrency} />
        <DayInput label="Due date" {...due} />
      </SimpleGrid>
      <DraftFields {...{ lines, memo, currency }} />
    </CommandDialog>
  );
}
