import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';
import {
  entitlementsOf,
  nextEntitlementChange,
} from '#domain/subscriptions/entitlement/entitlements.ts';
import { liveValue } from '#engines/live/live-value.ts';

/** The events that can change the entitlements of a customer. */
const types: EventType[] = [
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'subscription.trial_ended',
  'subscription.paused',
  'subscription.resumed',
  'subscription_item.updated',
  'subscription_item_feature.created',
  'subscription_item_feature.updated',
];

/** One change of a subscription is several events, which are read together. */
const pauseMilliseconds = 50;

/** A customer now, and again each time that its entitlements differ. Errors: NOT_FOUND. */
export async function entitlementChanges(
  session: FollowingSession,
  customerId: string,
): Promise<AsyncIterableIterator<{ readonly customerId: string }>> {
  const changes = [await session.follow({ customerId, types })];
  try {
    const { testClockId } = await session.em.findOneOrFail(Customer, customerId);
    // On a test clock time passes when that moves.
    if (testClockId) changes.push(await session.follow({ objectId: testClockId }));
  } catch (error) {
    // A refused caller follows nothing, and must not stay among the followers.
    await changes[0]?.return?.();
    throw error;
  }
  return liveValue(changes, pauseMilliseconds, () => read(session, customerId));
}

async function read(session: Session, customerId: string) {
  const fresh = await afreshAtPresent(session);
  const customer = await fresh.em.findOneOrFail(Customer, customerId);
  const entitlements = await entitlementsOf(fresh, customer);
  const text = JSON.stringify(
    entitlements.map(({ id, amount, expiredAt }) => [id, amount, expiredAt]),
  );
  const until = await nextEntitlementChange(fresh, customer);
  return { value: { customerId }, text, now: fresh.now, until };
}
