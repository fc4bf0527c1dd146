import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
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

interface Pending {
  readonly call: Call;
  /** When it was asked for. */
  readonly now: Date;
  readonly resolve: (recorded: Recorded | DomainError) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly pending: Pending[];
  writing: number;
  /** How many calls the last transaction carried. */
  answered: number;
}

/** As many transactions of one pricing model are written at once: the fewer, the more each of them carries. */
const lanes = 1;
const mostTogether = 500;
const longestPauseMilliseconds = 5;

/** What waits to be written, by the connection and the pricing model it goes to. */
const queues = new WeakMap<object, Map<string, Queue>>();

function together(session: Session, call: Call): Promise<Recorded | DomainError> {
  const connection = session.em.getConnection();
  const ofConnection = queues.get(connection) ?? new Map<string, Queue>();
  queues.set(connection, ofConnection);
  const queue = ofConnection.get(session.pricingModelId) ?? {
    pending: [],
    writing: 0,
    answered: 0,
  };
  ofConnection.set(session.pricingModelId, queue);
  return new Promise((resolve, reject) => {
    queue.pending.push({ call, now: session.now, resolve, reject });
    if (queue.writing < lanes) void write(session, ofConnection, queue);
  });
}

/**
 * Waits a moment for those who have just been answered: under load they have more, and the more come along,
 * the fewer transactions there are. A single caller is not waited for.
 */
async function gather({ pending, answered }: Queue) {
  if (answered <= 1) return;
  const awaited = Math.min(mostTogether, pending.length + answered);
  for (let pause = 0; pause < longestPauseMilliseconds && pending.length < awaited; pause++) {
    await setTimeout(1);
  }
}

async function write(session: Session, queues: Map<string, Queue>, queue: Queue) {
  queue.writing += 1;
  // What else has arrived in this turn of the event loop comes along.
  await new Promise(setImmediate);
  while (queue.pending.length > 0) {
    await gather(queue);
    const batch = queue.pending.splice(0, mostTogether);
    queue.answered = batch.length;
    // Nothing of the one caller but what all of them have in common, and the time of the last.
    const { em, apiKeyId, organizationId, livemode, pricingModelId, keyType } = session;
    const now = new Date(Math.max(...batch.map(({ now }) => now.getTime())));
    const scope = { organizationId, livemode, pricingModelId, keyType, now };
    try {
      const shared = openSession(em, scope, apiKeyId);
      const results = await recordCalls(
        shared,
        batch.map(({ call }) => call),
      );
      for (const [place, { resolve }] of batch.entries()) {
        resolve(results[place] as Recorded | DomainError);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  queue.writing -= 1;
  if (queue.writing === 0) queues.delete(session.pricingModelId);
}
