import { nextUsageChange } from '#domain/capacity/next-usage-change.ts';
import type { ResourceUsage } from '#domain/capacity/resource-usage.ts';
import { resourceUsagesOf } from '#domain/capacity/resource-usages.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type EventType, eventTypes } from '#domain/model/platform/event-types.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { lastSequence } from '#domain/platform/feed/sequence-events.ts';
import { afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';
import { liveValue } from '#engines/live/live-value.ts';

/** The events that can change the capacity or the claims of a subscription. */
const types: EventType[] = eventTypes.filter((type) =>
  /^(resource_claim|reservation|subscription|subscription_item|subscription_item_feature|billing_run)\./.test(
    type,
  ),
);

/** 10,000 claims of one call are emitted together. */
const pauseMilliseconds = 50;

/** The resources of a subscription at a place in the feed. */
export interface ResourceUsageChange {
  readonly asOfSequence: number;
  readonly usages: readonly ResourceUsage[];
}

/** The resources of a subscription now, and again each time that they differ. Errors: NOT_FOUND. */
export async function resourceUsageChanges(
  session: FollowingSession,
  subscriptionId: string,
): Promise<AsyncIterableIterator<ResourceUsageChange>> {
  const { customerId, testClockId } = await session.em.findOneOrFail(Subscription, subscriptionId);
  const changes = [await session.follow({ customerId, types })];
  if (testClockId) changes.push(await session.follow({ objectId: testClockId, wakesOnly: true }));
  return liveValue(changes, pauseMilliseconds, () => read(session, subscriptionId));
}

/** The place in the feed is taken first, so that the reading contains all events before it. */
async function read(session: Session, subscriptionId: string) {
  const fresh = await afreshAtPresent(session);
  const asOfSequence = await lastSequence(fresh.em);
  const subscription = await fresh.em.findOneOrFail(Subscription, subscriptionId);
  const usages = (await resourceUsagesOf(fresh, [subscription])).map(
    ({ at: _, ...usage }) => usage,
  );
  const until = await nextUsageChange(fresh, subscription);
  return { value: { asOfSequence, usages }, text: JSON.stringify(usages), now: fresh.now, until };
}
