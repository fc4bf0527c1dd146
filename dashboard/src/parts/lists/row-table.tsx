import { Table } from '@mantine/core';
import type { Column } from './column.ts';

/** A column of a short table. */
export interface RowColumn<Row> extends Column<Row> {
  /** Whether its name is only for screen readers, as that of commands. */
  readonly isNameless?: boolean;
  readonly dir?: 'auto';
  readonly color?: 'dimmed' | ((row: Row) => string | undefined);
}

interface Props<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly RowColumn<Row>[];
  /** Whether the names of the columns are above them. */
  readonly hasHead?: boolean;
  /** The width below which it scrolls; it never does when absent. */
  readonly minWidth?: number;
  /** The space above and below a row. */
  readonly spacing?: number | 'xs';
  readonly isDimmed?: (row: Row) => boolean;
}

/** A short table, whose rows are all in the document. */
export function RowTable<Row extends { readonly id: string }>(props: Props<Row>) {
  const { label, rows, columns, hasHead = false, minWidth, spacing, isDimmed } = props;
  const table = (
    <Table fz="sm" aria-label={label} {...(spacing !== undefined && { verticalSpacing: spacing })}>
      {hasHead && (
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column.name}
                {...lookOf(column)}
                {...(column.isNameless && { 'aria-label': column.name })}
              >
                {!column.isNameless && column.name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id} c={isDimmed?.(row) ? 'dimmed' : undefined}>
            {columns.map((column) => (
              <Table.Td
                key={column.name}
                {...lookOf(column)}
                dir={column.dir}
                c={typeof column.color === 'function' ? column.color(row) : column.color}
              >
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0}>
      {table}
    </Table.ScrollContainer>
  );
}

const lookOf = <Row,>({ isNumber, from }: Column<Row>) => ({
  ta: isNumber ? ('end' as const) : undefined,
  ...(from && { visibleFrom: from }),
});
