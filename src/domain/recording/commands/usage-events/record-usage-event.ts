import { z } from 'zod';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { acceptedFirst } from '#domain/recording/inbox/count-accepted-usage.ts';
import { recordTogether } from '#domain/recording/present/batch-calls.ts';
import { type Recorded, recordCalls } from '#domain/recording/record-calls.ts';
import type { Call } from '#domain/recording/usage-call.ts';
import { usageEventInput } from '#domain/recording/usage-event-input.ts';

export const recordUsageEventInput = z.object({ usageEvent: usageEventInput });

/** A recorded event, and whether it had been recorded before. */
export interface RecordedEvent {
  readonly usageEvent: UsageEvent;
  readonly repeated: boolean;
}

/**
 * Records one event. Events that arrive during a transaction share the next one: under load a transaction carries
 * many, and each caller waits for one commit only. Errors: BAD_REQUEST for an invalid event.
 */
export async function recordUsageEvent(
  session: Session,
  { usageEvent }: z.output<typeof recordUsageEventInput>,
): Promise<RecordedEvent> {
  const call: Call = {
    events: [usageEvent],
    pathOf: () => ['usageEvent'],
    isBulk: false,
    causeId: session.causeId,
    actor: session.actor,
    cause: session.cause,
  };
  // Within a larger transaction events are not batched.
  const [recorded] = session.em.isInTransaction()
    ? await recordCalls(session, [call], acceptedFirst(session))
    : [await recordTogether(session, call)];
  if (recorded instanceof DomainError) throw recorded;
  const { events, repeated } = recorded as Recorded;
  return { usageEvent: events[0] as UsageEvent, repeated: repeated[0] as boolean };
}
