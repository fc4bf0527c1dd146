import { Text } from '@mantine/core';
import {
  customerColumn,
  moneyColumn,
  statusColumn,
  timeColumn,
  wordsColumn,
} from '../../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../../parts/lists/conditions.ts';
import { amountRange, byCurrency, byCustomer, dayRange } from '../../../parts/lists/conditions.ts';
import type { ListColumn } from '../../../parts/lists/customer-list.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { FilteredList } from '../../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import type { Filters } from '../../../parts/lists/use-filters.ts';
import { CreditNotesDocument, type CreditNotesQuery } from '../invoices.generated.ts';
import { settlementText } from './credit-note-texts.ts';

type Row = CreditNotesQuery['creditNotes']['nodes'][number];

const choices: readonly FilterChoice[] = [
  { name: 'status', label: 'Status', values: ['pending', 'settled', 'failed'] },
  {
    name: 'settlement',
    label: 'Settlement',
    values: ['refund', 'credit', 'write_off', 'set_off'],
  },
  byCustomer,
  byCurrency,
  ...amountRange('total', 'Total'),
  ...dayRange('issuedAt'),
];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Number',
    order: 'credit_note_number',
    cell: ({ id, creditNoteNumber, customer }, isOfCustomer) => (
      <RowLink
        to={`/invoices/credit-notes/${id}`}
        below={!isOfCustomer && customer.name}
        belowUntil="sm"
      >
        {creditNoteNumber}
      </RowLink>
    ),
  },
  customerColumn(180, 'sm'),
  {
    name: 'Invoice',
    from: 'lg',
    cell: ({ invoice }) => (
      <RowLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</RowLink>
    ),
  },
  statusColumn({ from: 'xs' }),
  wordsColumn('Reason', 'reason', { from: 'lg' }),
  {
    name: 'Settlement',
    from: 'md',
    cell: ({ settlement }) => <Text size="sm">{settlementText(settlement)}</Text>,
  },
  moneyColumn('Total', 'total', { order: 'total' }),
  timeColumn('Issued', 'issuedAt', { order: 'issued_at', from: 'sm' }),
];

interface Props {
  readonly filters: Filters;
  /** The customer whose credit notes these are; those of all when absent. */
  readonly customerId?: string;
}

/** The credit notes of all invoices. */
export const CreditNotesTab = ({ filters, customerId }: Props) => (
  <FilteredList
    label="Credit notes"
    filters={filters}
    choices={choices}
    search="Search by number"
    document={CreditNotesDocument}
    select={({ creditNotes }) => creditNotes}
    kinds={['credit_note']}
    order="issued_at_desc"
    columns={columns}
    customerId={customerId}
    pathOf={({ id }) => `/invoices/credit-notes/${id}`}
    empty={
      <Empty title="No credit notes" filtered="No credit note matches these conditions.">
        A refund or a correction of an invoice writes one.
      </Empty>
    }
  />
);
