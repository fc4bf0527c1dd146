import { Text } from '@mantine/core';
import { customerColumn, timeColumn } from '../../parts/lists/columns.tsx';
import type { ListColumn } from '../../parts/lists/customer-list.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable, type Rows } from '../../parts/lists/list-table.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import {
  EventsDocument,
  type EventsQuery,
  type EventsQueryVariables,
} from './history.generated.ts';

type Row = EventsQuery['auditLog']['nodes'][number];

const columns: readonly ListColumn<Row>[] = [
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
export const EventsTable = (props: Rows<EventsQueryVariables['where']>) => (
  <ListTable
    label="Events"
    document={EventsDocument}
    select={({ auditLog }) => auditLog}
    usualOrder="sequence_desc"
    columns={columns}
    pathOf={({ id }) => `/events/${id}`}
    empty={
      <Empty title="No events" filtered="Nothing has happened that matches these conditions.">
        Changes appear here by themselves.
      </Empty>
    }
    {...props}
  />
);
