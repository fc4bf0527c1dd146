import {
  Box,
  Group,
  Loader,
  ScrollArea,
  Skeleton,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { IconArrowDown, IconArrowUp } from '../../icons/icons.tsx';
import type { LiveList } from '../../live/use-list.ts';
import { Failure } from '../failure.tsx';
import { numberText } from '../texts/formats.ts';
import type { Column } from './column.ts';
import { DataRow } from './data-row.tsx';
import classes from './data-table.module.css';

interface Props<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  /** The page of a row. */
  readonly pathOf?: (row: Row) => string;
  /** The order of the rows, such as `created_at_desc`, and the way to change it. */
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** Shown in place of rows where there are none. */
  readonly empty: ReactNode;
  /** The height of the rows' area in CSS; a part of the window when absent. */
  readonly height?: string;
}

const rowHeight = 45;

/** Rows of a live list, of which only those in sight are in the document. */
export function DataTable<Row extends { readonly id: string }>(props: Props<Row>) {
  const { label, list, columns, pathOf, empty, height = 'calc(100dvh - 250px)' } = props;
  const { rows, totalCount, error, isLoading, hasMore, loadMore, reload } = list;
  const viewport = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const latest = useRef(pathOf);
  latest.current = pathOf;
  const open = useCallback(
    (row: unknown) => {
      if (latest.current) navigate(latest.current(row as Row));
    },
    [navigate],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - 40) loadMore();
  }, [hasMore, lastShown, loadMore, rows.length]);

  if (error && rows.length === 0) return <Failure error={error} onRetry={reload} />;
  if (isLoading && rows.length === 0) return <LoadingRows />;
  if (rows.length === 0) return <Box className={classes.frame}>{empty}</Box>;
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Box>
      <ScrollArea.Autosize
        viewportRef={viewport}
        mah={height}
        className={classes.frame}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <Table
          stickyHeader
          highlightOnHover={pathOf !== undefined}
          verticalSpacing="xs"
          aria-label={label}
          aria-rowcount={(totalCount ?? rows.length) + 1}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Heading key={column.name} column={column} {...props} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {above > 0 && <tr style={{ height: above }} />}
            {items.map(({ index, key }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <DataRow
                  key={key}
                  row={row}
                  index={index}
                  columns={columns as readonly Column<never>[]}
                  measure={virtualizer.measureElement}
                  onOpen={pathOf && open}
                />
              );
            })}
            {below > 0 && <tr style={{ height: below }} />}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Group justify="space-between" mt="xs" mih={24}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {numberText(totalCount ?? rows.length)} {totalCount === 1 ? 'row' : 'rows'}
        </Text>
        {hasMore && lastShown >= rows.length - 40 && <Loader size="xs" aria-label="Loading rows" />}
      </Group>
    </Box>
  );
}

function Heading<Row>({
  column: { name, isNumber, from, order: by },
  order,
  onOrder,
}: Pick<Props<Row>, 'order' | 'onOrder'> & { readonly column: Column<Row> }) {
  const isBy = by !== undefined && order?.startsWith(`${by}_`);
  const isDescending = order?.endsWith('_desc');
  const Icon = isDescending ? IconArrowDown : IconArrowUp;
  const sort = isBy ? (isDescending ? 'descending' : 'ascending') : undefined;
  return (
    <Table.Th
      ta={isNumber ? 'end' : undefined}
      aria-sort={sort}
      {...(from && { visibleFrom: from })}
    >
      {by && onOrder ? (
        <UnstyledButton
          fz="inherit"
          fw="inherit"
          onClick={() => onOrder(`${by}_${isBy && isDescending ? 'asc' : 'desc'}`)}
        >
          {name} {isBy && <Icon size={13} />}
        </UnstyledButton>
      ) : (
        name
      )}
    </Table.Th>
  );
}

function LoadingRows() {
  return (
    <Box className={classes.frame} p="md" role="status" aria-label="Loading">
      {[88, 72, 80, 64, 76].map((width) => (
        <Skeleton key={width} h={18} w={`${width}%`} my="sm" />
      ))}
    </Box>
  );
}
