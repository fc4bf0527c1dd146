import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** The width from which the column is shown; always when absent. */
  readonly from?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  /** The beginning of the names of its orders, such as `created_at`. */
  readonly order?: string;
}
