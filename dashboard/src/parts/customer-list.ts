import type { Column } from './data-table.tsx';
import type { FilterChoice } from './filter-bar.tsx';

/** The columns of a list; that of one customer has none for it. */
export const columnsOf = <Row>(columns: readonly Column<Row>[], customerId: string | undefined) =>
  customerId ? columns.filter(({ name }) => name !== 'Customer') : columns;

/** The conditions of a list; that of one customer has none for it. */
export const choicesOf = (choices: readonly FilterChoice[], customerId: string | undefined) =>
  customerId ? choices.filter(({ name }) => name !== 'customer') : choices;
