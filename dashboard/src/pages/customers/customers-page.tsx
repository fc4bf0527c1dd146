import { Badge, Group, Text } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import type { Column } from '../../parts/lists/column.ts';
import { textColumn, timeColumn } from '../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { byCurrency, isYes } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilteredList } from '../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { CustomersDocument, type CustomersQuery } from './customers.generated.ts';
import { NewCustomerDialog } from './new-customer-dialog.tsx';

type Row = CustomersQuery['customers']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Subscription',
    values: ['active', 'trialing', 'past_due', 'unpaid', 'cancellation_scheduled', 'canceled'],
    of: 'subscriptionStatus',
  },
  { name: 'owes', label: 'Owes money', values: ['yes', 'no'], condition: isYes },
  {
    name: 'archived',
    label: 'Archived',
    values: ['yes'],
    condition: (value) => value === 'yes' || undefined,
  },
  byCurrency,
  { name: 'clock', label: 'Test clock', of: 'testClock' },
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
  textColumn('E-mail', 'email', { order: 'email', from: 'sm', maw: 260 }),
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
        <Dimmed>None</Dimmed>
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
  timeColumn('Since', 'createdAt', { order: 'created_at', from: 'xl' }),
];

/** All customers, with a search, conditions and orders. */
function CustomersPage() {
  const filters = useFilters();
  return (
    <Page
      title="Customers"
      actions={
        <PageButton
          does="createCustomer"
          isNew
          dialog={(onClose) => <NewCustomerDialog onClose={onClose} />}
        >
          New customer
        </PageButton>
      }
    >
      <FilteredList
        label="Customers"
        filters={filters}
        choices={choices}
        search="Search by name, e-mail or id"
        document={CustomersDocument}
        select={({ customers }) => customers}
        kinds={['customer', 'subscription']}
        order="created_at_desc"
        columns={columns}
        pathOf={({ id }) => `/customers/${id}`}
        height="calc(100dvh - 250px)"
        empty={
          <Empty title="No customers" filtered="No customer matches these conditions.">
            Create a customer.
          </Empty>
        }
      />
    </Page>
  );
}

export { CustomersPage as Component };
