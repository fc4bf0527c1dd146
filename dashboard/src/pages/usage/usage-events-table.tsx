import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { RowButton } from '../../commands/command-button.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { customerColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Remark } from '../../parts/texts/small-texts.tsx';
import { ReplaceDialog, VoidDialog } from './correct-dialogs.tsx';
import { entriesOf, propertiesOf, propertyText } from './properties.ts';
import { UsageEventsDocument, type UsageEventsQuery } from './usage-events.generated.ts';

type Row = UsageEventsQuery['usageEvents']['nodes'][number];

interface Props {
  readonly meter: string;
  readonly filters: Filters;
}

/** The single events of a meter, with their corrections. */
export function UsageEventsTable({ meter, filters }: Props) {
  const [corrected, setCorrected] = useState<{ row: Row; by: 'void' | 'replace' }>();
  const list = useList(
    UsageEventsDocument,
    { where: whereOf(meter, filters), orderBy: 'created_at_desc' as const },
    ({ usageEvents }) => usageEvents,
    { kinds: ['usage_event'] },
  );
  const close = () => setCorrected(undefined);
  return (
    <>
      <DataTable
        label="Usage events"
        list={list}
        columns={columnsOf((row, by) => setCorrected({ row, by }))}
        pathOf={({ id }) => `/usage/events/${id}`}
        height="520px"
        empty={
          <Empty title="No usage events" filtered="No event matches these conditions.">
            Usage that is recorded appears here.
          </Empty>
        }
      />
      {corrected?.by === 'void' && <VoidDialog row={corrected.row} onClose={close} />}
      {corrected?.by === 'replace' && <ReplaceDialog row={corrected.row} onClose={close} />}
    </>
  );
}

function whereOf(meter: string, filters: Filters) {
  const customer = filters.get('customer');
  const subscription = filters.get('subscription');
  const transaction = filters.get('transaction');
  const voided = filters.get('voided');
  const usageDate = timeWhereOf(filters);
  const properties = propertiesOf(filters.get('property') ?? '') ?? {};
  const entries = Object.entries(properties).map(([key, value]) => ({ key, value }));
  return {
    usageMeter: { is: meter },
    ...(customer && { customer: { is: customer } }),
    ...(subscription && { subscription: { is: subscription } }),
    ...(transaction && { transactionId: { is: transaction } }),
    ...(voided && { voided: voided === 'yes' }),
    ...(usageDate && { usageDate }),
    ...(entries.length > 0 && { properties: entries }),
  };
}

const columnsOf = (correct: (row: Row, by: 'void' | 'replace') => void): readonly Column<Row>[] => [
  {
    name: 'Recorded',
    cell: ({ id, createdAt }) => (
      <RowLink to={`/usage/events/${id}`}>
        <Instant at={createdAt} isRelative />
      </RowLink>
    ),
  },
  timeColumn('Used', 'usageDate', { isRelative: true, from: 'sm' }),
  customerColumn(220),
  {
    name: 'Amount',
    isNumber: true,
    cell: ({ amount, voidedAt }) => (
      <Text
        size="sm"
        span
        td={voidedAt ? 'line-through' : undefined}
        c={voidedAt ? 'dimmed' : undefined}
      >
        {numberText(amount)}
      </Text>
    ),
  },
  {
    name: 'Properties',
    from: 'md',
    cell: ({ properties }) => (
      <Remark truncate maw={240} dir="auto">
        {entriesOf(properties).map(propertyText).join(', ')}
      </Remark>
    ),
  },
  {
    name: 'Transaction',
    from: 'lg',
    cell: ({ transactionId }) => (
      <Text size="xs" ff="monospace" truncate maw={180}>
        {transactionId}
      </Text>
    ),
  },
  {
    name: 'Correction',
    cell: (row) =>
      row.voidedAt ? (
        <Badge color="gray" variant="light" tt="none" radius="sm" title={row.voidReason ?? ''}>
          {row.replacedById ? 'Replaced' : 'Void'}
        </Badge>
      ) : (
        <Group gap={2} wrap="nowrap">
          <RowButton does="replaceUsageEvent" onClick={() => correct(row, 'replace')}>
            Replace
          </RowButton>
          <RowButton does="voidUsageEvent" color="red" onClick={() => correct(row, 'void')}>
            Void
          </RowButton>
        </Group>
      ),
  },
];
