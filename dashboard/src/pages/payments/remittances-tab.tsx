import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton, RowButton } from '../../commands/command-button.tsx';
import type { Column } from '../../parts/lists/column.ts';
import { customerColumn, statusColumn, wordsColumn } from '../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { amountRange, byCurrency, byCustomer } from '../../parts/lists/conditions.ts';
import type { ListColumn } from '../../parts/lists/customer-list.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilteredList } from '../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { CancelExpectedDialog, ReceiveDialog } from './expected-dialogs.tsx';
import { externalMethods } from './external-methods.ts';
import { RemittancesDocument, type RemittancesQuery } from './lists.generated.ts';

type Row = RemittancesQuery['remittances']['nodes'][number];

const choices: readonly FilterChoice[] = [
  { name: 'status', label: 'Status', values: ['expected', 'received', 'reversed', 'canceled'] },
  byCustomer,
  { name: 'method', label: 'Method', values: Object.keys(externalMethods) },
  { name: 'reference', label: 'Reference' },
  byCurrency,
  ...amountRange('amount', 'Amount'),
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
  statusColumn(),
  customerColumn(200, 'sm'),
  wordsColumn('Method', 'method', { from: 'lg' }),
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
  const [chosen, setChosen] = useState<{ row: Row; as: 'receive' | 'cancel' }>();
  const close = () => setChosen(undefined);
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
          <RowButton
            does="cancelExpectedPayment"
            color="red"
            visibleFrom="xs"
            onClick={() => setChosen({ row, as: 'cancel' })}
          >
            Cancel
          </RowButton>
        </Group>
      ),
  };
  return (
    <>
      <FilteredList
        label="Payments by hand"
        filters={filters}
        choices={choices}
        document={RemittancesDocument}
        select={({ remittances }) => remittances}
        kinds={['remittance', 'payment']}
        order="created_at_desc"
        columns={[...columns, actions]}
        customerId={customerId}
        pathOf={({ id }) => `/payments/remittances/${id}`}
        empty={
          <Empty title="No payments by hand">
            Record a bank transfer, a check or cash, or expect one that a customer has announced.
          </Empty>
        }
      />
      {chosen?.as === 'receive' && <ReceiveDialog expected={chosen.row} onClose={close} />}
      {chosen?.as === 'cancel' && <CancelExpectedDialog expected={chosen.row} onClose={close} />}
    </>
  );
}
