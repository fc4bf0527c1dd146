import type { EntityManager } from '@mikro-orm/postgresql';
import { EventHead } from '#domain/events/event-head.ts';
import { invalid } from '#domain/kernel/errors.ts';

/** The sequence at which reading starts. A reader whose place has been purged gets an error instead of a gap. */
export async function startOf(em: EntityManager, after: number | null): Promise<number> {
  const { purged } = await em.findOneOrFail(EventHead, 1);
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
