import type { EntityManager } from '@mikro-orm/postgresql';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { type Batched, inBatches, type Outcome } from '#domain/kernel/in-batches.ts';
import type { SourceCustomer } from '../source/source.ts';
import type { Checked } from './check-subscriptions.ts';

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

/** Some customers of a source with all of their subscriptions. */
export interface Part {
  readonly customers: readonly SourceCustomer[];
  readonly subscriptions: readonly Checked[];
}

/** Divides customers and subscriptions, so that the memory of a part is free again after it. There is one at least. */
export function partsOf(
  customers: readonly SourceCustomer[],
  subscriptions: readonly Checked[],
): Part[] {
  const partOf = new Map(
    customers.map(({ externalId }, place) => [externalId, Math.floor(place / partSize)]),
  );
  const bought = Map.groupBy(subscriptions, ({ one }) => partOf.get(one.customerExternalId) ?? -1);
  const parts: Part[] = [];
  for (let from = 0; from < customers.length; from += partSize) {
    const own = bought.get(parts.length) ?? [];
    parts.push({ customers: customers.slice(from, from + partSize), subscriptions: own });
  }
  const others = bought.get(-1) ?? [];
  for (let from = 0; from < others.length; from += partSize)
    parts.push({ customers: [], subscriptions: others.slice(from, from + partSize) });
  return parts.length > 0 ? parts : [{ customers: [], subscriptions: [] }];
}

/** Gives the database statistics of the tables: else it reads all rows of the tenant for each record. */
export const analyzePart = (em: EntityManager) => analyzeGrown(em, grown);

/**
 * Executes commands in batches, two at a time: the database works on one of them while this process prepares the other.
 * Within a transaction there is one connection, and so one batch at a time.
 * Those of one key stay in their order, and the lines divide the order of the keys. Commands that the database has failed
 * are repeated once. Returns the outcomes in the order of the commands.
 */
export async function twoAtATime<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
): Promise<Outcome<T>[]> {
  if (em.isInTransaction()) return inBatches(em, commands);
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
