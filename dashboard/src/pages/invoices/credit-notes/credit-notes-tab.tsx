import { Stack, Text } from '@mantine/core';
import { useList } from '../../../live/use-list.ts';
import { amountWhereOf } from '../../../parts/lists/amount-where.ts';
import { choicesOf, columnsOf, type ListColumn } from '../../../parts/lists/customer-list.ts';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { timeWhereOf } from '../../../parts/lists/day-range.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import type { Filters } from '../../../parts/lists/use-filters.ts';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { useOwnCurrency } from '../../../parts/use-own-currency.ts';
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
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'currency', label: 'Currency' },
  { name: 'min', label: 'Total from', kind: 'amount' },
  { name: 'max', label: 'Total to', kind: 'amount' },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
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
  {
    name: 'Customer',
    from: 'sm',
    cell: ({ customer }) => (
      <Text size="sm" truncate maw={180} dir="auto">
        {customer.name}
      </Text>
    ),
  },
  {
    name: 'Invoice',
    from: 'lg',
    cell: ({ invoice }) => (
      <RowLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</RowLink>
    ),
  },
  { name: 'Status', from: 'xs', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Reason',
    from: 'lg',
    cell: ({ reason }) => <Text size="sm">{wordsOf(reason)}</Text>,
  },
  {
    name: 'Settlement',
    from: 'md',
    cell: ({ settlement }) => <Text size="sm">{settlementText(settlement)}</Text>,
  },
  {
    name: 'Total',
    order: 'total',
    isNumber: true,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} size="sm" />,
  },
  {
    name: 'Issued',
    order: 'issued_at',
    from: 'sm',
    cell: ({ issuedAt }) => <Instant at={issuedAt} />,
  },
];

interface Props {
  readonly filters: Filters;
  /** The customer whose credit notes these are; those of all when absent. */
  readonly customerId?: string;
}

/** The credit notes of all invoices. */
export function CreditNotesTab({ filters, customerId }: Props) {
  const ownCurrency = useOwnCurrency();
  const orderBy = (filters.get('order') ?? 'issued_at_desc') as 'issued_at_desc';
  const search = filters.get('search');
  const status = filters.get('status');
  const settlement = filters.get('settlement');
  const customer = customerId ?? filters.get('customer');
  const currency = filters.get('currency');
  const total = amountWhereOf(filters, ownCurrency);
  const issuedAt = timeWhereOf(filters);
  const where = {
    ...(search && { search }),
    ...(status && { status: { is: status as 'settled' } }),
    ...(settlement && { settlement: { is: settlement as 'credit' } }),
    ...(customer && { customer: { is: customer } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(total && { total }),
    ...(issuedAt && { issuedAt }),
  };
  const list = useList(CreditNotesDocument, { where, orderBy }, ({ creditNotes }) => creditNotes, {
    kinds: ['credit_note'],
    customerId,
  });
  return (
    <Stack gap="md">
      <FilterBar
        filters={filters}
        choices={choicesOf(choices, customerId)}
        search="Search by number"
      />
      <DataTable
        label="Credit notes"
        list={list}
        columns={columnsOf(columns, customerId)}
        order={orderBy}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ id }) => `/invoices/credit-notes/${id}`}
        height="calc(100dvh - 320px)"
        empty={
          <Empty title="No credit notes" filtered="No credit note matches these conditions.">
            A refund or a correction of an invoice writes one.
          </Empty>
        }
      />
    </Stack>
  );
}
