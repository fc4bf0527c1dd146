import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Opens, RowButton } from '../commands/command-button.tsx';
import { RowTable } from './lists/row-table.tsx';

interface TopUp {
  readonly id: string;
  readonly active: boolean;
  readonly problem: string | null;
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly minWidth?: number;
  /** The cells that state what it buys, and its terms. */
  readonly cells: readonly ((row: Row) => ReactNode)[];
  /** Its present action, such as a purchase. */
  readonly state?: (row: Row) => ReactNode;
  /** The command that changes one. */
  readonly does: 'updateTopUp' | 'updatePrepaidTopUp';
  readonly dialog: (row: Row, ...opened: Parameters<Opens>) => ReactNode;
}

/** Rules that buy credit: their terms, why they have stopped, and their change. */
export function TopUpTable<Row extends TopUp>(props: Props<Row>) {
  const { label, rows, minWidth, cells, state, does, dialog } = props;
  return (
    <RowTable
      label={label}
      rows={rows}
      {...(minWidth !== undefined && { minWidth })}
      isDimmed={({ active }) => !active}
      columns={[
        ...cells.map((cell, place) => ({ name: `Terms ${place + 1}`, cell })),
        {
          name: 'State',
          cell: (row) => (
            <>
              {row.problem && (
                <Text c="red" size="sm">
                  {row.problem}
                </Text>
              )}
              {!row.active && !row.problem && 'Stopped'}
              {state?.(row)}
            </>
          ),
        },
        {
          name: 'Commands',
          isNumber: true,
          cell: (row) => (
            <RowButton does={does} dialog={(onClose) => dialog(row, onClose)}>
              Change
            </RowButton>
          ),
        },
      ]}
    />
  );
}
