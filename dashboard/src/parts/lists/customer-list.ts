import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import type { FilterChoice } from './conditions.ts';

/** A column of a list that may be of one customer, whose cells do not name it. */
export interface ListColumn<Row> extends Omit<Column<Row>, 'cell'> {
  readonly cell: (row: Row, isOfCustomer?: boolean) => ReactNode;
}

/** The columns of a list; that of one customer has none for it, and names it in no other one. */
export function columnsOf<Row>(
  columns: readonly ListColumn<Row>[],
  customerId: string | undefined,
): readonly Column<Row>[] {
  if (!customerId) return columns;
  return columns
    .filter(({ name }) => name !== 'Customer')
    .map((column) => ({ ...column, cell: (row) => column.cell(row, true) }));
}

/** The conditions of a list; that of one customer has none for it. */
export const choicesOf = (choices: readonly FilterChoice[], customerId: string | undefined) =>
  customerId ? choices.filter(({ name }) => name !== 'customer') : choices;
