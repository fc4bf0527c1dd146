import { pino } from 'pino';
import { idsOfTrace } from './trace-requests.ts';

/** The fields in which PostgreSQL and the ORM put the values of rows. */
const rowFields = new Set(['detail', 'where', 'internalQuery', 'parameters']);
const rowDetail = /\n - detail: .*/g;

/** One JSON object a line on standard output, with the name of the cell if there is one. */
export function createLogger(level: string, cell?: string) {
  return pino({
    level,
    base: cell === undefined ? null : { cell },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: idsOfTrace,
    serializers: { err: errorWithoutRows },
    // Credentials are never logged.
    redact: [
      'authorization',
      '*.authorization',
      'token',
      '*.token',
      'secret',
      '*.secret',
      'secretKey',
      '*.secretKey',
    ],
  });
}

export type Logger = ReturnType<typeof createLogger>;

/** An error for the log, without the values of rows that the database adds to its messages. */
export const errorWithoutRows = (error: unknown): unknown =>
  withoutRows(error instanceof Error ? pino.stdSerializers.err(error) : error, 0);

function withoutRows(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replaceAll(rowDetail, '');
  if (typeof value !== 'object' || value === null || depth > 6) return value;
  if (Array.isArray(value)) return value.map((item) => withoutRows(item, depth + 1));
  const plain = value instanceof Error ? pino.stdSerializers.err(value) : value;
  // The serializer's own fields are behind getters, and `raw` is the error itself.
  const entries = Object.entries(plain).filter(([name]) => !rowFields.has(name) && name !== 'raw');
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutRows(item, depth + 1)]));
}
