import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '#domain/kernel/errors.ts';
import { type FeedOwner, headOf } from './sequence-events.ts';

/** The sequence at which reading starts. A reader whose place has been purged gets an error instead of a gap. */
export async function startOf(
  em: EntityManager,
  after: number | null,
  owner?: FeedOwner,
): Promise<number> {
  const { purged } = await headOf(em, owner);
  if (after === null) return purged;
  if (after < purged) {
    throw invalid(
      'OUT_OF_RANGE',
      'after',
      `is no longer retained: the oldest readable event follows sequence ${purged}`,
    );
  }
  return after;
}
