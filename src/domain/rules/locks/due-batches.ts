import { type DueRow, type Sweep, sessionFor } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { inBatches } from './in-batches.ts';

/** A due row of a customer. */
export interface DueOfCustomer extends DueRow {
  readonly customerId: string;
}

interface Options {
  /** How many batches run at a time. */
  readonly workers: number;
  /** Whether rows are left whose customer another transaction has locked; else they wait for it. */
  readonly leaves?: boolean;
}

const batchSize = 50;

/**
 * Executes one command for each due row, in batches of one tenant. A row that fails is reported and does not stop the
 * others. Returns the result of each row; undefined where it has failed or was left, and how many were left.
 */
export async function inDueBatches<Row extends DueOfCustomer, T>(
  sweep: Sweep,
  rows: readonly Row[],
  { workers, leaves = false }: Options,
  work: (session: Session, row: Row) => Promise<T>,
): Promise<{ readonly results: ReadonlyMap<Row, T>; readonly left: number }> {
  const results = new Map<Row, T>();
  let left = 0;
  const batches = batchesOf(rows).values();
  const workThrough = async () => {
    for (const batch of batches) {
      const commands = batch.map((row) => ({
        customerId: row.customerId,
        open: () => sessionFor(sweep, row),
        work: (session: Session) => work(session, row),
      }));
      const outcomes = await inBatches(sweep.em, commands, { most: batchSize, leaves });
      for (const [place, row] of batch.entries()) {
        const outcome = outcomes[place];
        if (!outcome) left += 1;
        else if (outcome.status === 'fulfilled') results.set(row, outcome.value);
        else report(sessionFor(sweep, row), row.id, outcome.reason);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, workThrough));
  return { results, left };
}

/** Rows of one tenant each, with all rows of a customer in the same batch. */
function batchesOf<Row extends DueOfCustomer>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  const tenants = Map.groupBy(
    rows,
    ({ pricingModelId, livemode }) => `${pricingModelId} ${livemode}`,
  );
  for (const own of tenants.values()) {
    let batch: Row[] = [];
    for (const ofCustomer of Map.groupBy(own, ({ customerId }) => customerId).values()) {
      if (batch.length >= batchSize) batch = [];
      if (batch.length === 0) batches.push(batch);
      batch.push(...ofCustomer);
    }
  }
  return batches;
}
