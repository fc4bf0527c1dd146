import pg from 'pg';

/** A statement with its values, as the driver sends them. */
export interface SentStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The ends of transactions, and wake-ups, which follow a commit. */
const around = /^(begin|commit|rollback)\b|pg_notify/;

/** The statements that this process sends during some work, without the ends of its transactions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const { query } = pg.Client.prototype;
  const sent: SentStatement[] = [];
  pg.Client.prototype.query = function noted(this: pg.Client, ...given: unknown[]) {
    const [{ name, text, values = [] }] = given as [SentStatement];
    if (!around.test(text)) sent.push({ name, text, values });
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

const idOfNewRow = /\b(?:evt|ledger_transaction|cause|usage_event)_[A-Za-z0-9_-]{12,}/g;
const counted = 8;
let count = 0;

/** The same statements for new rows: each id of a row that they insert is another one, as random as the given. */
export function forNewRows(statements: readonly SentStatement[]): SentStatement[] {
  const known = new Map<string, string>();
  const fresh = (id: string) => {
    const to = known.get(id) ?? otherThan(id);
    known.set(id, to);
    return to;
  };
  return statements.map(({ values, ...statement }) => ({
    ...statement,
    values: values.map((value) =>
      typeof value === 'string' ? value.replaceAll(idOfNewRow, fresh) : value,
    ),
  }));
}

/** The digits of a count are in reverse, so that ids that follow each other are far apart in an index. */
function otherThan(id: string): string {
  count += 1;
  const digits = [...count.toString(36).padStart(counted, '0')].reverse().join('');
  const start = id.lastIndexOf('_', id.length - counted - 1) + 1;
  return id.slice(0, start) + digits + id.slice(start + counted);
}
