import pg from 'pg';

/** The clock of the database is read by time, not by request. */
const byTime = 'clock_timestamp()';

/** The statements that the process sends while some work is done, whichever layer sends them. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype;
  const sent: string[] = [];
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string } | undefined];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    if (!text.includes(byTime)) sent.push(text);
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}
