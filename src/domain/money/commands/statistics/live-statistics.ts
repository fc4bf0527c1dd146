import { bucketsOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { type EventType, eventTypes } from '#domain/model/platform/event-types.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';
import { liveValue } from '#engines/live/live-value.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { type MrrInput, type MrrSeries, mrrMovements } from './mrr-movements.ts';
import { type PaymentRecoverySeries, paymentRecovery } from './payment-recovery.ts';
import { type StatisticInput, statisticBuckets } from './statistic-input.ts';
import { type SubscriptionCounts, subscriptionCounts } from './subscription-counts.ts';
import {
  metersOf,
  seenBy,
  type UsageInput,
  type UsageSeries,
  usageOverTime,
} from './usage-over-time.ts';

const pauseMilliseconds = 1_000;
/** Distinct properties are counted from all events at each reading, so these are rarer. */
const longPauseMilliseconds = 5_000;

const typesOf = (pattern: RegExp): EventType[] => eventTypes.filter((type) => pattern.test(type));

/** Yields a statistic now, and after changes as soon as it differs, at most once in a pause. */
async function live<T>(
  session: FollowingSession,
  changes: { readonly types: EventType[]; readonly customerId?: string | undefined },
  read: (session: Session) => Promise<T>,
  {
    pause = pauseMilliseconds,
    until = async () => null,
  }: { pause?: number; until?: (session: Session) => Promise<Date | null> } = {},
): Promise<AsyncIterableIterator<T>> {
  return liveValue([await session.follow(changes)], pause, async () => {
    const fresh = await afreshAtPresent(session);
    const value = await read(fresh);
    return { value, text: JSON.stringify(value), now: fresh.now, until: await until(fresh) };
  });
}

/** The usage over time, and again each time that it differs. Errors: as `usageOverTime`. */
export async function liveUsage(
  session: FollowingSession,
  asked: UsageInput,
): Promise<AsyncIterableIterator<UsageSeries[]>> {
  const input = seenBy(session, asked);
  bucketsOf(input);
  const meters = await metersOf(session, input);
  const { subscription, customer } = input;
  const customerId =
    customer ??
    (subscription == null
      ? undefined
      : (await session.em.findOneOrFail(Subscription, subscription)).customerId);
  const isFast = meters.every((meter) => meter.aggregationType !== 'count_distinct_properties');
  return live(
    session,
    { types: typesOf(/^usage_event\./), customerId },
    (session) => usageOverTime(session, input),
    { pause: isFast ? pauseMilliseconds : longPauseMilliseconds },
  );
}

/** The movements of MRR, and again each time that they differ. Errors: as `mrrMovements`. */
export async function liveMrr(
  session: FollowingSession,
  input: MrrInput,
): Promise<AsyncIterableIterator<MrrSeries[]>> {
  statisticBuckets(input);
  if (input.product != null) await session.em.findOneOrFail(Product, input.product);
  const types = typesOf(/^(subscription|subscription_item|customer|test_clock)\./);
  return live(session, { types }, (session) => mrrMovements(session, input), {
    until: nextPlanned,
  });
}

/** When the next planned movement takes place, without a change. */
async function nextPlanned({ em, pricingModelId, now }: Session): Promise<Date | null> {
  const [row] = await statement<{ at: Date | null }>(
    em,
    'next planned movement',
    'select min(at) as at from mrr_movement where pricing_model_id = $1 and at > $2',
    [pricingModelId, now],
  );
  return row?.at ? new Date(row.at) : null;
}

/** The numbers of subscriptions, and again each time that they differ. Errors: as `subscriptionCounts`. */
export async function liveCounts(
  session: FollowingSession,
  input: StatisticInput,
): Promise<AsyncIterableIterator<SubscriptionCounts>> {
  statisticBuckets(input);
  const types = typesOf(/^(subscription|customer|test_clock)\./);
  return live(session, { types }, (session) => subscriptionCounts(session, input));
}

/** The recovery of failed payments, and again each time that it differs. Errors: as `paymentRecovery`. */
export async function liveRecovery(
  session: FollowingSession,
  input: StatisticInput,
): Promise<AsyncIterableIterator<PaymentRecoverySeries[]>> {
  statisticBuckets(input);
  const types = typesOf(/^(payment|invoice|customer|test_clock)\./);
  return live(session, { types }, (session) => paymentRecovery(session, input));
}
