import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { IconPlus } from '../../icons/icons.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { CustomersDocument, type CustomersQuery } from './customers.generated.ts';
import { NewCustomerDialog } from './new-customer-dialog.tsx';
import { whereOf } from './where-of.ts';

type Row = CustomersQuery['customers']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Subscription',
    values: ['active', 'trialing', 'past_due', 'unpaid', 'cancellation_scheduled', 'canceled'],
  },
  { name: 'owes', label: 'Owes money', values: ['yes', 'no'] },
  { name: 'archived', label: 'Archived', values: ['yes'] },
  { name: 'currency', label: 'Currency' },
  { name: 'clock', label: 'Test clock' },
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Name',
    order: 'name',
    cell: ({ id, name, archived }) => (
      <Group gap="xs" wrap="nowrap">
        <RowLink to={`/customers/${id}`}>{name}</RowLink>
        {archived && (
          <Badge variant="default" tt="none">
            Archived
          </Badge>
        )}
      </Group>
    ),
  },
  {
    name: 'E-mail',
    order: 'email',
    from: 'sm',
    cell: ({ email }) => (
      <Text size="sm" truncate maw={260}>
        {email}
      </Text>
    ),
  },
  {
    name: 'Subscription',
    cell: ({ currentSubscription: current }) =>
      current ? (
        <Group gap="xs" wrap="nowrap">
          <StatusBadge status={current.status} />
          <Text size="sm" truncate maw={180} visibleFrom="lg">
            {current.name}
          </Text>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          None
        </Text>
      ),
  },
  {
    name: 'MRR',
    isNumber: true,
    from: 'xs',
    cell: ({ currentSubscription: current }) =>
      current && <Money amount={current.mrr} currency={current.currency} size="sm" />,
  },
  {
    name: 'Owes',
    order: 'amount_owed',
    isNumber: true,
    from: 'lg',
    cell: ({ amountOwed, currency }) =>
      amountOwed > 0 && currency && <Money amount={amountOwed} currency={currency} size="sm" />,
  },
  {
    name: 'Since',
    order: 'created_at',
    from: 'xl',
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
];

/** All customers, with a search, conditions and orders. */
function CustomersPage() {
  const filters = useFilters();
  const [isCreating, setCreating] = useState(false);
  const order = (filters.get('order') ?? 'created_at_desc') as 'created_at_desc';
  const list = useList(
    CustomersDocument,
    { where: whereOf(filters), orderBy: order },
    ({ customers }) => customers,
    { kinds: ['customer', 'subscription'] },
  );
  return (
    <Page
      title="Customers"
      actions={
        <CommandButton
          does="createCustomer"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setCreating(true)}
        >
          New customer
        </CommandButton>
      }
    >
      <FilterBar filters={filters} choices={choices} search="Search by name, e-mail or id" />
      <DataTable
        label="Customers"
        list={list}
        columns={columns}
        order={order}
        onOrder={(next) => filters.set('order', next)}
        pathOf={({ id }) => `/customers/${id}`}
        empty={
          <Empty title="No customers" filtered="No customer matches these conditions.">
            Create a customer.
          </Empty>
        }
      />
      {isCreating && <NewCustomerDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

export { CustomersPage as Component };
