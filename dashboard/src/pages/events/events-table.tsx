import { Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { customerColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import {
  EventsDocument,
  type EventsQuery,
  type EventsQueryVariables,
} from './history.generated.ts';

type Row = EventsQuery['auditLog']['nodes'][number];

interface Props {
  readonly where: EventsQueryVariables['where'];
  readonly customerId?: string;
  readonly height?: string;
}

const columns: readonly Column<Row>[] = [
  {
    name: 'Event',
    cell: ({ id, type }) => <RowLink to={`/events/${id}`}>{wordsOf(type)}</RowLink>,
  },
  customerColumn(220),
  {
    name: 'By',
    from: 'md',
    cell: ({ actor }) => <Text size="sm">{actor && wordsOf(actor.type)}</Text>,
  },
  {
    name: 'Sequence',
    isNumber: true,
    from: 'lg',
    cell: ({ sequence }) => (
      <Text size="sm" ff="monospace">
        {sequence}
      </Text>
    ),
  },
  timeColumn('Time', 'occurredAt', { isRelative: true }),
];

/** Events that match conditions, newest first. */
export function EventsTable({ where, customerId, height }: Props) {
  const list = useList(
    EventsDocument,
    { where, orderBy: 'sequence_desc' as const },
    ({ auditLog }) => auditLog,
    { customerId },
  );
  return (
    <DataTable
      label="Events"
      list={list}
      columns={customerId ? columns.filter(({ name }) => name !== 'Customer') : columns}
      {...(height && { height })}
      pathOf={({ id }) => `/events/${id}`}
      empty={
        <Empty title="No events" filtered="Nothing has happened that matches these conditions.">
          Changes appear here by themselves.
        </Empty>
      }
    />
  );
}
