import { Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { moneyColumn, statusColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import {
  SubscriptionsDocument,
  type SubscriptionsQuery,
  type SubscriptionsQueryVariables,
} from './subscriptions.generated.ts';

type Row = SubscriptionsQuery['subscriptions']['nodes'][number];

interface Props {
  readonly where: SubscriptionsQueryVariables['where'];
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** The customer whose subscriptions these are; they then have no column for it. */
  readonly customerId?: string;
  readonly height?: string;
}

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
export function SubscriptionsTable({ where, order, onOrder, customerId, height }: Props) {
  const orderBy = (order ?? 'created_at_desc') as 'created_at_desc';
  const list = useList(
    SubscriptionsDocument,
    { where, orderBy },
    ({ subscriptions }) => subscriptions,
    { kinds: ['subscription'], customerId },
  );
  return (
    <DataTable
      label="Subscriptions"
      list={list}
      columns={customerId ? columns : all}
      order={orderBy}
      {...(onOrder && { onOrder })}
      {...(height && { height })}
      pathOf={({ id }) => `/subscriptions/${id}`}
      empty={
        <Empty title="No subscriptions" filtered="No subscription matches these conditions.">
          Subscriptions that are created appear here.
        </Empty>
      }
    />
  );
}
