import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { useList } from '../../live/use-list.ts';
import { amountWhereOf } from '../../parts/lists/amount-where.ts';
import type { Column } from '../../parts/lists/column.ts';
import { choicesOf, columnsOf, type ListColumn } from '../../parts/lists/customer-list.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { CancelExpectedDialog, ReceiveDialog } from './expected-dialogs.tsx';
import { externalMethods } from './external-methods.ts';
import { RemittancesDocument, type RemittancesQuery } from './lists.generated.ts';

type Row = RemittancesQuery['remittances']['nodes'][number];

const choices: readonly FilterChoice[] = [
  { name: 'status', label: 'Status', values: ['expected', 'received', 'reversed', 'canceled'] },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'method', label: 'Method', values: externalMethods.map(({ value }) => value) },
  { name: 'reference', label: 'Reference' },
  { name: 'currency', label: 'Currency' },
  { name: 'min', label: 'Amount from', kind: 'amount' },
  { name: 'max', label: 'Amount to', kind: 'amount' },
];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ id, amount, currency, customer }, isOfCustomer) => (
      <RowLink
        to={`/payments/remittances/${id}`}
        below={!isOfCustomer && customer.name}
        belowUntil="sm"
      >
        <Money amount={amount} currency={currency} />
      </RowLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Customer',
    from: 'sm',
    cell: ({ customer }) => (
      <Text size="sm" truncate maw={200} dir="auto">
        {customer.name}
      </Text>
    ),
  },
  { name: 'Method', from: 'lg', cell: ({ method }) => <Text size="sm">{wordsOf(method)}</Text> },
  {
    name: 'Reference',
    from: 'md',
    cell: ({ reference }) => (
      <Text size="sm" truncate maw={180} dir="auto">
        {reference ?? '—'}
      </Text>
    ),
  },
  {
    name: 'Day',
    from: 'lg',
    cell: ({ receivedAt, expectedAt }) => <Instant at={receivedAt ?? expectedAt} />,
  },
];

interface Props {
  readonly filters: Filters;
  /** The customer whose money this is; that of all when absent. */
  readonly customerId?: string;
}

/** Money that arrives without a processor: announced, received and reversed. */
export function RemittancesTab({ filters, customerId }: Props) {
  const ownCurrency = useOwnCurrency();
  const [chosen, setChosen] = useState<{ row: Row; as: 'receive' | 'cancel' }>();
  const close = () => setChosen(undefined);
  const orderBy = (filters.get('order') ?? 'created_at_desc') as 'created_at_desc';
  const list = useList(
    RemittancesDocument,
    { where: whereOf(filters, ownCurrency, customerId), orderBy },
    ({ remittances }) => remittances,
    { kinds: ['remittance', 'payment'], customerId },
  );
  const actions: Column<Row> = {
    name: 'Actions',
    isNumber: true,
    cell: (row) =>
      row.status === 'expected' && (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <CommandButton
            does="recordPayment"
            size="compact-xs"
            variant="light"
            onClick={() => setChosen({ row, as: 'receive' })}
          >
            Receive
          </CommandButton>
          <CommandButton
            does="cancelExpectedPayment"
            size="compact-xs"
            variant="subtle"
            color="red"
            visibleFrom="xs"
            onClick={() => setChosen({ row, as: 'cancel' })}
          >
            Cancel
          </CommandButton>
        </Group>
      ),
  };
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={choicesOf(choices, customerId)} />
      <DataTable
        label="Payments by hand"
        list={list}
        columns={[...columnsOf(columns, customerId), actions]}
        order={orderBy}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ id }) => `/payments/remittances/${id}`}
        height="calc(100dvh - 320px)"
        empty={
          <Empty title="No payments by hand">
            Record a bank transfer, a check or cash, or expect one that a customer has announced.
          </Empty>
        }
      />
      {chosen?.as === 'receive' && <ReceiveDialog expected={chosen.row} onClose={close} />}
      {chosen?.as === 'cancel' && <CancelExpectedDialog expected={chosen.row} onClose={close} />}
    </Stack>
  );
}

function whereOf(
  filters: Filters,
  ownCurrency: string | undefined,
  customerId: string | undefined,
) {
  const status = filters.get('status');
  const customer = customerId ?? filters.get('customer');
  const method = filters.get('method');
  const reference = filters.get('reference');
  const currency = filters.get('currency');
  const amount = amountWhereOf(filters, ownCurrency);
  return {
    ...(status && { status: { is: status as 'expected' } }),
    ...(customer && { customer: { is: customer } }),
    ...(method && { method: { is: method as 'cash' } }),
    ...(reference && { reference: { is: reference } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(amount && { amount }),
  };
}
