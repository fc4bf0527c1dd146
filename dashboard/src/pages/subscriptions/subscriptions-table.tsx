import { Text } from '@mantine/core';
import type { Column } from '../../parts/lists/column.ts';
import { moneyColumn, statusColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable, type Rows } from '../../parts/lists/list-table.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import {
  SubscriptionsDocument,
  type SubscriptionsQuery,
  type SubscriptionsQueryVariables,
} from './subscriptions.generated.ts';

type Row = SubscriptionsQuery['subscriptions']['nodes'][number];

const ofCustomer: Column<Row> = {
  name: 'Customer',
  cell: ({ id, name, status, customer }) => (
    <RowLink to={`/subscriptions/${id}`} below={`${name ?? id}, ${wordsOf(status)}`}>
      {customer.name}
    </RowLink>
  ),
};

const columns: readonly Column<Row>[] = [
  {
    name: 'Plan',
    cell: ({ id, name, status }) => (
      <RowLink to={`/subscriptions/${id}`} below={wordsOf(status)}>
        {name ?? id}
      </RowLink>
    ),
  },
  statusColumn({ from: 'xs' }),
  moneyColumn('MRR', 'mrr', { order: 'mrr' }),
  {
    name: 'Next',
    from: 'md',
    cell: (row) => (
      <Text size="sm" span>
        {nextOf(row)}
      </Text>
    ),
  },
  timeColumn('Period ends', 'currentBillingPeriodEnd', {
    order: 'current_billing_period_end',
    from: 'sm',
  }),
  timeColumn('Since', 'startDate', { order: 'created_at', from: 'xl' }),
];

/** Narrow screens have plan and status below the customer. */
const all: readonly Column<Row>[] = [
  ofCustomer,
  ...columns.map((column) =>
    column.name === 'Plan' ? { ...column, from: 'xs' as const } : column,
  ),
];

/** The next event of a subscription, in a few words. */
function nextOf({ nextStep, status, trialEnd, cancelScheduledAt }: Row) {
  if (nextStep) return wordsOf(nextStep);
  if (cancelScheduledAt && status !== 'canceled') {
    return (
      <>
        Ends <Instant at={cancelScheduledAt} />
      </>
    );
  }
  if (status === 'trialing' && trialEnd) {
    return (
      <>
        Trial ends <Instant at={trialEnd} />
      </>
    );
  }
  return status === 'active' ? 'Renews' : '—';
}

/** Subscriptions that match conditions. */
export const SubscriptionsTable = (props: Rows<SubscriptionsQueryVariables['where']>) => (
  <ListTable
    label="Subscriptions"
    document={SubscriptionsDocument}
    select={({ subscriptions }) => subscriptions}
    kinds={['subscription']}
    usualOrder="created_at_desc"
    columns={props.customerId ? columns : all}
    pathOf={({ id }) => `/subscriptions/${id}`}
    empty={
      <Empty title="No subscriptions" filtered="No subscription matches these conditions.">
        Subscriptions that are created appear here.
      </Empty>
    }
    {...props}
  />
);
