import { Table } from '@mantine/core';
import { memo, type Ref } from 'react';
import type { Column } from './column.ts';
import classes from './data-table.module.css';

interface Props {
  readonly row: unknown;
  readonly index: number;
  /** The columns of rows of this kind. */
  readonly columns: readonly Column<never>[];
  /** Measures the height of the row. */
  readonly measure: Ref<HTMLTableRowElement>;
  /** Opens the page of the row; undefined where it has none. */
  readonly onOpen: ((row: unknown) => void) | undefined;
}

/** A row of a table. It is rendered again only when it changes, so that a list scrolls smoothly. */
export const DataRow = memo(function DataRow({ row, index, columns, measure, onOpen }: Props) {
  return (
    <Table.Tr
      data-index={index}
      aria-rowindex={index + 2}
      ref={measure}
      className={onOpen && classes.link}
      onClick={(event) => {
        const target = event.target as HTMLElement;
        // A dialog of a row is below it for React, and elsewhere in the document.
        const isWithin = event.currentTarget.contains(target);
        if (onOpen && isWithin && !target.closest('a, button, input')) onOpen(row);
      }}
    >
      {columns.map((column) => (
        <Table.Td
          key={column.name}
          ta={column.isNumber ? 'end' : undefined}
          {...(column.from && { visibleFrom: column.from })}
        >
          {column.cell(row as never)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
});
