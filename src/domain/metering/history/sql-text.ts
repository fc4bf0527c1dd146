/** A text as a literal of DuckDB, in which only the quote has a meaning. */
export const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** An instant as a literal: timestamps of the files are in UTC. */
export const sqlInstant = (at: number) => `make_timestamp_ms(${Math.trunc(at)})`;

/** Texts as the list of a condition `in`. */
export const sqlList = (values: readonly string[]) =>
  values.length > 0 ? `(${values.map(sqlText).join(', ')})` : '(null)';
