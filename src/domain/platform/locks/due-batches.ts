import type { EntityManager } from '@mikro-orm/postgresql';
import { isAbsent } from '#domain/kernel/absent-organizations.ts';
import type { DueRow } from '#domain/kernel/for-each-due.ts';
import { inBatches } from '#domain/kernel/in-batches.ts';
import { inLanes } from '#domain/kernel/in-lanes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockFreeCustomers } from './lock-free-customers.ts';

/** A due row of a customer. */
export interface DueOfCustomer extends DueRow {
  readonly customerId: string;
}

/** How the commands of due rows are executed. */
export interface DueWork<Row> {
  readonly em: EntityManager;
  /** Opens a session for one attempt of a row. */
  readonly open: (row: Row) => Session;
  /** Is notified of the error of a row. */
  readonly onFailure: (error: unknown, row: Row) => void;
  /** How many batches run at a time. */
  readonly workers: number;
  /** Whether rows are left whose customer another transaction has locked; else they wait for it. */
  readonly leaves?: boolean;
}

const batchSize = 50;

/**
 * Executes one command for each due row, in batches of one tenant. A row that fails does not stop the
 * others. Returns the result of each row; undefined where it has failed or was left, and how many were left.
 */
export async function inDueBatches<Row extends DueOfCustomer, T>(
  { em, open, onFailure, workers, leaves = false }: DueWork<Row>,
  rows: readonly Row[],
  work: (session: Session, row: Row) => Promise<T>,
): Promise<{ readonly results: ReadonlyMap<Row, T>; readonly left: number }> {
  const results = new Map<Row, T>();
  const present = rows.filter(({ organizationId }) => !isAbsent(em, organizationId));
  let left = rows.length - present.length;
  const batches = batchesOf(present).values();
  const workThrough = async () => {
    for (const batch of batches) {
      const commands = batch.map((row) => ({
        key: row.customerId,
        open: () => open(row),
        work: (session: Session) => work(session, row),
      }));
      const options = { most: batchSize, lock: lockFreeCustomers, leaves };
      const outcomes = await inBatches(em, commands, options);
      for (const [place, row] of batch.entries()) {
        const outcome = outcomes[place];
        if (!outcome) left += 1;
        else if (outcome.status === 'fulfilled') results.set(row, outcome.value);
        else onFailure(outcome.reason, row);
      }
    }
  };
  await inLanes(workers, workThrough);
  return { results, left };
}

/** Rows of one tenant each, with all rows of a customer in the same batch. */
export function batchesOf<Row extends DueOfCustomer>(rows: readonly Row[]): Row[][] {
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
