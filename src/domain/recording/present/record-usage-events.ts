import { z } from 'zod';
import { DomainError } from '#domain/kernel/errors.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { acceptedFirst } from '#domain/recording/inbox/count-accepted-usage.ts';
import { type Recorded, recordCalls } from '#domain/recording/record-calls.ts';
import type { Call } from '#domain/recording/usage-call.ts';
import {
  mostEvents,
  type UsageEventInput,
  usageEventInput,
} from '#domain/recording/usage-event-input.ts';
import { recordTogether } from './batch-calls.ts';

export const recordUsageEventsInput = z.object({
  usageEvents: listInput(usageEventInput, mostEvents),
});

const bulkCall = (session: Session, events: readonly UsageEventInput[]): Call => ({
  events,
  pathOf: (index) => ['usageEvents', index],
  isBulk: true,
  causeId: session.causeId,
  actor: session.actor,
  cause: session.cause,
});

/**
 * Records usage, all of a call or nothing, and counts it in the balances in the same transaction. An event whose
 * transaction id its meter knows is a repeat: the first one is returned, and it does not count again. Errors:
 * BAD_REQUEST with an issue for each bad event, which its index names.
 */
export async function recordUsageEvents(
  session: Session,
  { usageEvents }: z.output<typeof recordUsageEventsInput>,
): Promise<Recorded> {
  const call = bulkCall(session, usageEvents);
  // A caller within a transaction has locks that others may wait for, so it must not wait for them.
  if (!session.em.isInTransaction()) return recordTogether(session, call);
  const [recorded] = await recordCalls(session, [call], acceptedFirst(session));
  if (recorded instanceof DomainError) throw recorded;
  return recorded as Recorded;
}
