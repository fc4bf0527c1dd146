import type { EventType } from '#domain/model/platform/event-types.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { lastSequence, sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { throttled } from '#engines/live/throttled.ts';

const pauseMilliseconds = 250;

/** The events that can change a balance. */
const types: EventType[] = [
  'usage_event.recorded',
  'usage_event.voided',
  'usage_event.replaced',
  'usage_credit.created',
  'usage_credit.expired',
  'usage_credit.rolled_over',
  'billing_period.created',
  'reservation.created',
  'reservation.confirmed',
  'reservation.released',
  'reservation.expired',
  'invoice.created',
];

/**
 * The places in the feed at which the balances of a subscription may have changed: the present one first, unless
 * `after` is given. Errors: NOT_FOUND; BAD_REQUEST for a place that is too long ago.
 */
export async function balanceChanges(
  session: FollowingSession,
  subscriptionId: string,
  after?: number | null,
): Promise<AsyncIterableIterator<{ readonly sequence: number }>> {
  const { customerId } = await session.em.findOneOrFail(Subscription, subscriptionId);
  // Committed events have their numbers before the balances are read, so the balances contain all of them.
  await sequenceEvents(session.em);
  const seen = after ?? (await lastSequence(session.em));
  const changes = await session.follow({ customerId, types }, seen);
  const first = after == null ? { sequence: seen } : null;
  return throttled(changes, pauseMilliseconds, first) as AsyncIterableIterator<{
    readonly sequence: number;
  }>;
}
