/** The HTTP status of the last response to a delivery, as SQL; null when there was none. */
export const lastResponseSql = (alias: string) =>
  `(${alias}.attempts -> -1 ->> 'responseStatus')::int`;
