import type { Row } from './engine.ts';

interface Column {
  readonly name: string;
  readonly kind: 'text' | 'instant' | 'flag' | 'whole' | 'json';
}

const column = (kind: Column['kind'], names: string): Column[] =>
  names.split(' ').map((name) => ({ name, kind }));

/** The columns of an event in a file, in their order. The amount has a second one, a decimal that is compared. */
export const columns: readonly Column[] = [
  ...column('text', 'id'),
  ...column('instant', 'created_at updated_at recorded_at usage_date'),
  ...column('flag', 'livemode'),
  ...column(
    'text',
    'organization_id pricing_model_id customer_id subscription_id usage_meter_id price_id billing_period_id amount transaction_id',
  ),
  ...column('json', 'properties'),
  ...column('instant', 'voided_at'),
  ...column('text', 'void_reason replaced_by_id'),
  ...column('flag', 'voided_after_billing'),
  ...column('instant', 'first_recorded_at'),
  ...column('flag', 'after_end'),
  ...column('text', 'left_out_by'),
  ...column('instant', 'order_at'),
  ...column('whole', 'order_place place position'),
];

/** The type of a column in a file. */
export const typeOf = ({ kind }: Column) =>
  ({ text: 'VARCHAR', json: 'VARCHAR', instant: 'TIMESTAMP_MS', flag: 'BOOLEAN', whole: 'BIGINT' })[
    kind
  ];

/** The column in a result of DuckDB: instants in milliseconds. */
const selected = ({ name, kind }: Column) =>
  kind === 'instant' || kind === 'whole'
    ? `${kind === 'instant' ? `epoch_ms(${name})` : name}::double as ${name}`
    : name;

/** The columns of a whole event in a statement of DuckDB. */
export const selectedColumns = columns.map(selected).join(', ');

/** A row of a file as a row of the table, as the driver of the database returns it. */
export const tableRow = (row: Row): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, presentOf(kind, row[name])]));

function presentOf(kind: Column['kind'], value: unknown) {
  if (value === null) return null;
  if (kind === 'instant') return new Date(value as number);
  return kind === 'json' ? JSON.parse(value as string) : value;
}
