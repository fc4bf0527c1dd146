import { Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { UsageCreditsDocument, type UsageCreditsQuery } from './credits.generated.ts';

type Row = UsageCreditsQuery['usageCredits']['nodes'][number];

const sources: Readonly<Record<Row['source'], string>> = {
  feature: 'Plan',
  add_feature: 'Added feature',
  manual: 'By hand',
};

const columns: readonly Column<Row>[] = [
  {
    name: 'Customer',
    cell: ({ customer }) => <RowLink to={`/customers/${customer.id}`}>{customer.name}</RowLink>,
  },
  {
    name: 'Remaining',
    isNumber: true,
    cell: ({ remaining }) => <Text size="sm">{numberText(remaining)}</Text>,
  },
  {
    name: 'Granted',
    isNumber: true,
    cell: ({ amount }) => <Text size="sm">{numberText(amount)}</Text>,
  },
  {
    name: 'Expired',
    isNumber: true,
    from: 'lg',
    cell: ({ expired }) => (
      <Text size="sm" c={expired === 0 ? 'dimmed' : undefined}>
        {numberText(expired)}
      </Text>
    ),
  },
  timeColumn('Expires', 'expiresAt', { from: 'sm' }),
  { name: 'Source', from: 'md', cell: ({ source }) => sources[source] },
  {
    name: 'Reason',
    from: 'md',
    cell: ({ reason }) => (
      <Text size="sm" c="dimmed" truncate maw={260} dir="auto" title={reason ?? ''}>
        {reason}
      </Text>
    ),
  },
  timeColumn('Created', 'createdAt', { from: 'sm' }),
];

interface Props {
  readonly meter: string;
  readonly filters: Filters;
}

/** The usage credits of a meter: how many were granted, and how many remain. */
export function CreditsTable({ meter, filters }: Props) {
  const customer = filters.get('customer');
  const subscription = filters.get('subscription');
  const source = filters.get('source') as Row['source'] | undefined;
  const remaining = filters.get('remaining');
  const list = useList(
    UsageCreditsDocument,
    {
      where: {
        usageMeter: { is: meter },
        ...(customer && { customer: { is: customer } }),
        ...(subscription && { subscription: { is: subscription } }),
        ...(source && { source: { is: source } }),
        ...(remaining === 'no' && { remaining: { max: 0 } }),
        ...(remaining === 'yes' && { remaining: { min: '0.000000001' } }),
      },
      orderBy: 'created_at_desc' as const,
    },
    ({ usageCredits }) => usageCredits,
    { kinds: ['usage_credit', 'usage_event'] },
  );
  return (
    <DataTable
      label="Usage credits"
      list={list}
      columns={columns}
      empty={
        <Empty title="No usage credits">
          A plan grants them by its features, and you can grant them by hand.
        </Empty>
      }
    />
  );
}
