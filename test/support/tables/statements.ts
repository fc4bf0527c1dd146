import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** The clock of the database is read by time, not by request. */
const byTime = 'clock_timestamp()';

const counted = new AsyncLocalStorage<string[]>();

/**
 * The statements that some work sends, whichever layer sends them. Those that the process sends meanwhile for
 * something else, such as the numbering of earlier events, do not count.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype;
  const sent: string[] = [];
  pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string } | undefined];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    if (!text.includes(byTime)) counted.getStore()?.push(text);
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await counted.run(sent, work);
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}
