import type { z } from 'zod';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { insertUsage } from '#domain/recording/inbox/insert-usage.ts';
import type { recordUsageEventsInput } from '#domain/recording/present/record-usage-events.ts';
import type { recordUsageEventInput } from './record-usage-event.ts';

/** The receipt of accepted usage. */
export interface Acceptance {
  /** The position in the inbox; later ones are higher. */
  readonly position: string;
  /** How many events were accepted. */
  readonly count: number;
  readonly acceptedAt: Date;
}

/**
 * Accepts usage: it is durable when this returns, and counted soon. Reads and changes of its subscriptions count it
 * first, so they always include it. An event that cannot be counted then becomes part of a `UsageRefusal`.
 */
export async function acceptUsageEvents(
  session: Session,
  { usageEvents }: z.output<typeof recordUsageEventsInput>,
): Promise<Acceptance> {
  const acceptance = {
    position: newId('acceptance'),
    count: usageEvents.length,
    acceptedAt: session.now,
  };
  if (usageEvents.length > 0) await insertUsage(session, acceptance.position, usageEvents);
  return acceptance;
}

/** The same for one event. */
export const acceptUsageEvent = (
  session: Session,
  { usageEvent }: z.output<typeof recordUsageEventInput>,
): Promise<Acceptance> => acceptUsageEvents(session, { usageEvents: [usageEvent] });
