import { Stack, Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { DisputesDocument, type DisputesQuery } from './lists.generated.ts';

type Row = DisputesQuery['disputes']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['inquiry', 'inquiry_closed', 'opened', 'under_review', 'won', 'lost', 'prevented'],
  },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'from', label: 'Opened from day', kind: 'day' },
  { name: 'to', label: 'Opened before day', kind: 'day' },
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ amount, currency, payment, customer }) => (
      <RowLink to={`/payments/${payment.id}`} below={customer.name}>
        <Money amount={amount} currency={currency} />
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
    name: 'Reason',
    from: 'md',
    cell: ({ reason }) => <Text size="sm">{reason ? wordsOf(reason) : '—'}</Text>,
  },
  {
    name: 'Fee',
    isNumber: true,
    from: 'lg',
    cell: ({ fee, currency }) => <Money amount={fee} currency={currency} size="sm" />,
  },
  {
    name: 'Opened',
    from: 'sm',
    cell: ({ openedAt }) => <Instant at={openedAt} />,
  },
  {
    name: 'Evidence due',
    from: 'lg',
    cell: ({ evidenceDueAt }) => <Instant at={evidenceDueAt} />,
  },
];

/** The objections of banks to payments. */
export function DisputesTab({ filters }: { readonly filters: Filters }) {
  const orderBy = (filters.get('order') ?? 'created_at_desc') as 'created_at_desc';
  const status = filters.get('status');
  const customer = filters.get('customer');
  const openedAt = timeWhereOf(filters);
  const where = {
    ...(status && { status: { is: status as 'lost' } }),
    ...(customer && { customer: { is: customer } }),
    ...(openedAt && { openedAt }),
  };
  const list = useList(DisputesDocument, { where, orderBy }, ({ disputes }) => disputes, {
    kinds: ['dispute'],
  });
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={choices} />
      <DataTable
        label="Disputes"
        list={list}
        columns={columns}
        order={orderBy}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ payment }) => `/payments/${payment.id}`}
        height="calc(100dvh - 320px)"
        empty={
          <Empty title="No disputes" filtered="No dispute matches these conditions.">
            Payments that a bank disputes appear here.
          </Empty>
        }
      />
    </Stack>
  );
}
