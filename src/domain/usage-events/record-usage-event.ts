import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { Gathering } from '../gathering.ts';
import { openSession, type Session } from '../session.ts';
import { type Call, type Recorded, recordCalls } from './record-usage-events.ts';
import type { UsageEvent } from './usage-event.ts';
import { usageEventInput } from './usage-event-input.ts';

export const recordUsageEventInput = z.object({ usageEvent: usageEventInput });

/** A recorded event, and whether it had been recorded before. */
export interface RecordedEvent {
  readonly usageEvent: UsageEvent;
  readonly repeated: boolean;
}

/**
 * Records one event (reference §7). Events that come while others are being written are written together in
 * the next transaction: under load a transaction carries many, and each caller waits for one commit only.
 * Errors: BAD_REQUEST for what cannot be recorded.
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
  };
  // What belongs to a larger transaction, or has to be remembered with its own, is not put together.
  const alone = session.em.isInTransaction() || session.idempotency !== undefined;
  const [recorded] = alone ? await recordCalls(session, [call]) : [await together(session, call)];
  if (recorded instanceof DomainError) throw recorded;
  const { events, repeated } = recorded as Recorded;
  return { usageEvent: events[0] as UsageEvent, repeated: repeated[0] as boolean };
}

interface Asked {
  readonly session: Session;
  readonly call: Call;
}

type Outcome = Recorded | DomainError;

/** What waits to be written, by the connection and the pricing model it goes to. */
const gatherings = new WeakMap<object, Map<string, Gathering<Asked, Outcome>>>();

function together(session: Session, call: Call): Promise<Outcome> {
  const connection = session.em.getConnection();
  const ofConnection = gatherings.get(connection) ?? new Map<string, Gathering<Asked, Outcome>>();
  gatherings.set(connection, ofConnection);
  // One transaction of a pricing model is written at a time: the fewer there are, the more each of them carries.
  const gathering =
    ofConnection.get(session.pricingModelId) ??
    new Gathering<Asked, Outcome>(write, { lanes: 1, most: 500, patient: true });
  ofConnection.set(session.pricingModelId, gathering);
  return gathering.add({ session, call });
}

/** With nothing of the one caller but what all of them have in common, and the time of the last. */
function write(asked: readonly Asked[]) {
  const [{ session }] = asked as readonly [Asked];
  const { em, apiKeyId, organizationId, livemode, pricingModelId, keyType } = session;
  const now = new Date(Math.max(...asked.map(({ session }) => session.now.getTime())));
  const scope = { organizationId, livemode, pricingModelId, keyType, now };
  return recordCalls(
    openSession(em, scope, apiKeyId),
    asked.map(({ call }) => call),
  );
}
