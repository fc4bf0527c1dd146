import { Stack, Text } from '@mantine/core';
import { useList } from '../../../live/use-list.ts';
import { choicesOf, columnsOf, type ListColumn } from '../../../parts/lists/customer-list.ts';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { timeWhereOf } from '../../../parts/lists/day-range.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import type { Filters } from '../../../parts/lists/use-filters.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import {
  ConsolidatedInvoicesDocument,
  type ConsolidatedInvoicesQuery,
} from './consolidated.generated.ts';

type Row = ConsolidatedInvoicesQuery['consolidatedInvoices']['nodes'][number];

const choices: readonly FilterChoice[] = [
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'method', label: 'Payment', values: ['charge_automatically', 'send_invoice'] },
  { name: 'currency', label: 'Currency' },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Number',
    order: 'invoice_number',
    cell: ({ id, invoiceNumber, customer }, isOfCustomer) => (
      <RowLink
        to={`/invoices/consolidated/${id}`}
        below={!isOfCustomer && customer.name}
        belowUntil="sm"
      >
        {invoiceNumber}
      </RowLink>
    ),
  },
  {
    name: 'Customer',
    from: 'sm',
    cell: ({ customer }) => (
      <Text size="sm" truncate maw={220} dir="auto">
        {customer.name}
      </Text>
    ),
  },
  {
    name: 'Invoices',
    isNumber: true,
    from: 'md',
    cell: ({ invoices }) => <Text size="sm">{invoices.totalCount}</Text>,
  },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Total',
    isNumber: true,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} size="sm" />,
  },
  {
    name: 'Due',
    isNumber: true,
    from: 'md',
    cell: ({ amountDue, currency }) => <Money amount={amountDue} currency={currency} size="sm" />,
  },
  {
    name: 'Date',
    order: 'invoice_date',
    from: 'sm',
    cell: ({ invoiceDate }) => <Instant at={invoiceDate} />,
  },
  { name: 'Due on', from: 'lg', cell: ({ dueDate }) => <Instant at={dueDate} /> },
];

interface Props {
  readonly filters: Filters;
  /** The customer whose documents these are; those of all when absent. */
  readonly customerId?: string;
}

/** The consolidated invoices. */
export function ConsolidatedTab({ filters, customerId }: Props) {
  const orderBy = (filters.get('order') ?? 'invoice_date_desc') as 'invoice_date_desc';
  const search = filters.get('search');
  const customer = customerId ?? filters.get('customer');
  const method = filters.get('method');
  const currency = filters.get('currency');
  const invoiceDate = timeWhereOf(filters);
  const isFiltered = [search, filters.get('customer'), method, currency, invoiceDate].some(Boolean);
  const where = {
    ...(search && { invoiceNumber: { contains: search } }),
    ...(customer && { customer: { is: customer } }),
    ...(method && { collectionMethod: { is: method as 'send_invoice' } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(invoiceDate && { invoiceDate }),
  };
  const list = useList(
    ConsolidatedInvoicesDocument,
    { where, orderBy },
    ({ consolidatedInvoices }) => consolidatedInvoices,
    { kinds: ['consolidated_invoice'], customerId },
  );
  return (
    <Stack gap="md">
      <FilterBar
        filters={filters}
        choices={choicesOf(choices, customerId)}
        search="Search by number"
      />
      <DataTable
        label="Consolidated invoices"
        list={list}
        columns={columnsOf(columns, customerId)}
        order={orderBy}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ id }) => `/invoices/consolidated/${id}`}
        height="calc(100dvh - 320px)"
        empty={
          <Empty title="No consolidated invoices">
            {isFiltered
              ? 'No consolidated invoice matches these conditions.'
              : 'One is written when several subscriptions of a customer that consolidates are billed at one instant.'}
          </Empty>
        }
      />
    </Stack>
  );
}
