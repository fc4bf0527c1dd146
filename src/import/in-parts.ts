import type { EntityManager } from '@mikro-orm/postgresql';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { type Batched, inBatches, type Outcome } from '#domain/kernel/in-batches.ts';
import { presentOf } from '#domain/kernel/present.ts';

/** The tables that grow with each imported customer. */
const grown = [
  'customer',
  'payment_method',
  'subscription',
  'subscription_item',
  'billing_period',
  'billing_period_item',
  'event',
  'cause',
  'mrr_change',
  'mrr_movement',
  'subscription_status_change',
];
const partSize = 1_000;

/**
 * Imports records in parts, one after the other, so that the memory of a part is free again. The database has statistics
 * of the tables meanwhile: else it reads all rows of the tenant for each record.
 */
export async function inParts<T>(
  em: EntityManager,
  records: readonly T[],
  work: (part: readonly T[]) => Promise<void>,
) {
  for (let from = 0; from < records.length; from += partSize) {
    await presentOf(em);
    await work(records.slice(from, from + partSize));
    await analyzeGrown(em, grown);
  }
}

/**
 * Executes commands in batches, two at a time: the database works on one of them while this process prepares the other.
 * Those of one key stay in their order, and the lines divide the order of the keys. Commands that the database has failed
 * are repeated once. Returns the outcomes in the order of the commands.
 */
export async function twoAtATime<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
): Promise<Outcome<T>[]> {
  const byKey = [...Map.groupBy(commands, ({ key }) => key).values()];
  const outcomes = new Map<Batched<T>, Outcome<T>>();
  const lane = async (own: readonly Batched<T>[]) => {
    const isFailed = (command: Batched<T>) => {
      const outcome = outcomes.get(command);
      return outcome?.status === 'rejected' && databaseFailure(outcome.reason) !== undefined;
    };
    const attempt = async (some: readonly Batched<T>[]) => {
      for (const [place, outcome] of (await inBatches(em, some)).entries())
        outcomes.set(some[place] as Batched<T>, outcome);
    };
    await attempt(own);
    await attempt(own.filter(isFailed));
  };
  byKey.sort(([a], [b]) => ((a?.key ?? '') < (b?.key ?? '') ? -1 : 1));
  const half = Math.ceil(byKey.length / 2);
  await Promise.all([lane(byKey.slice(0, half).flat()), lane(byKey.slice(half).flat())]);
  return commands.map((command) => outcomes.get(command) ?? null);
}
