import { Stack, Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import { amountWhereOf } from '../../parts/lists/amount-where.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { RefundsDocument, type RefundsQuery } from './lists.generated.ts';

type Row = RefundsQuery['refunds']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'],
  },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'origin', label: 'Made at', values: ['service', 'processor'] },
  { name: 'currency', label: 'Currency' },
  { name: 'min', label: 'Amount from', kind: 'amount' },
  { name: 'max', label: 'Amount to', kind: 'amount' },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ amount, payment, customer }) => (
      <RowLink to={`/payments/${payment.id}`} below={customer.name}>
        <Money amount={amount} currency={payment.currency} />
      </RowLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Customer',
    from: 'xs',
    cell: ({ customer }) => (
      <Text size="sm" truncate maw={240} dir="auto">
        {customer.name}
      </Text>
    ),
  },
  {
    name: 'Of a payment of',
    isNumber: true,
    from: 'md',
    cell: ({ payment }) => <Money amount={payment.amount} currency={payment.currency} size="sm" />,
  },
  {
    name: 'Credit note',
    from: 'lg',
    cell: ({ creditNote }) =>
      creditNote && (
        <RowLink to={`/invoices/credit-notes/${creditNote.id}`}>
          {creditNote.creditNoteNumber}
        </RowLink>
      ),
  },
  {
    name: 'Failure',
    from: 'lg',
    cell: ({ failureMessage }) => (
      <Text size="sm" truncate maw={220} c="dimmed">
        {failureMessage}
      </Text>
    ),
  },
  {
    name: 'Date',
    order: 'created_at',
    from: 'sm',
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
];

/** The refunds of all payments. */
export function RefundsTab({ filters }: { readonly filters: Filters }) {
  const ownCurrency = useOwnCurrency();
  const orderBy = (filters.get('order') ?? 'created_at_desc') as 'created_at_desc';
  const status = filters.get('status');
  const customer = filters.get('customer');
  const origin = filters.get('origin');
  const currency = filters.get('currency')?.toUpperCase();
  // A refund has the currency of its payment: any amount in it matches.
  const amount = amountWhereOf(filters, ownCurrency) ?? (currency && { currency, min: 0 });
  const createdAt = timeWhereOf(filters);
  const where = {
    ...(status && { status: { is: status as 'failed' } }),
    ...(customer && { customer: { is: customer } }),
    ...(origin && { origin: { is: origin as 'service' } }),
    ...(amount && { amount }),
    ...(createdAt && { createdAt }),
  };
  const list = useList(RefundsDocument, { where, orderBy }, ({ refunds }) => refunds, {
    kinds: ['refund'],
  });
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={choices} />
      <DataTable
        label="Refunds"
        list={list}
        columns={columns}
        order={orderBy}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ payment }) => `/payments/${payment.id}`}
        height="calc(100dvh - 320px)"
        empty={
          <Empty title="No refunds" filtered="No refund matches these conditions.">
            Refunds of payments appear here.
          </Empty>
        }
      />
    </Stack>
  );
}
