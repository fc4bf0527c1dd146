import { Badge, Text } from '@mantine/core';
import type { Column } from '../../parts/lists/column.ts';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable } from '../../parts/lists/list-table.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Remark } from '../../parts/texts/small-texts.tsx';
import {
  ProcessorDifferencesDocument,
  type ProcessorDifferencesQuery,
} from './processors.generated.ts';

type Row = ProcessorDifferencesQuery['processorDifferences']['nodes'][number];

const columns: readonly Column<Row>[] = [
  {
    name: 'Difference',
    cell: ({ message, reference }) => (
      <>
        <Text size="sm" truncate>
          {message}
        </Text>
        <Remark truncate>{reference}</Remark>
      </>
    ),
  },
  {
    name: 'Here',
    isNumber: true,
    cell: ({ ownAmount, currency }) =>
      ownAmount === null || !currency ? '—' : <Money amount={ownAmount} currency={currency} />,
  },
  {
    name: 'At the processor',
    isNumber: true,
    from: 'sm',
    cell: ({ processorAmount, currency }) =>
      processorAmount === null || !currency ? (
        '—'
      ) : (
        <Money amount={processorAmount} currency={currency} />
      ),
  },
  {
    name: 'State',
    from: 'sm',
    cell: ({ resolvedAt }) => (
      <Badge color={resolvedAt ? 'teal' : 'red'} variant="light" tt="none">
        {resolvedAt ? 'Resolved' : 'Open'}
      </Badge>
    ),
  },
  timeColumn('Found', 'createdAt', { from: 'md' }),
];

/** The payments whose amounts differ between the books and the processor, the newest first. */
export const ProcessorDifferences = () => (
  <ListTable
    label="Differences"
    document={ProcessorDifferencesDocument}
    select={({ processorDifferences }) => processorDifferences}
    kinds={['processor_difference']}
    where={undefined}
    usualOrder="created_at_desc"
    columns={columns}
    pathOf={({ paymentId, id }) => (paymentId ? `/payments/${paymentId}` : `/events?subject=${id}`)}
    height="40dvh"
    empty={
      <Empty title="The books agree">
        The service compares its payments with those of the processor each night.
      </Empty>
    }
  />
);
