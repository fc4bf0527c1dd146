import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { cycleFrom, type KeptCycle, keptCycle } from '#domain/subscriptions/periods/kept-cycle.ts';

/**
 * The instant from which on a session charges a billing cycle that it keeps: its own creation, so that the page shows
 * the amount that is charged. For a customer with a test clock it is the time of the clock. Null where no cycle is kept.
 */
export const quoteOf = (
  checkout: CheckoutSession,
  customer: Pick<Customer, 'testClockId'>,
  now: Date,
): Date | null => (checkout.preserveBillingCycleAnchor ? quotedAt(checkout, customer, now) : null);

function quotedAt(
  { createdAt }: CheckoutSession,
  { testClockId }: Pick<Customer, 'testClockId'>,
  now: Date,
): Date {
  return testClockId || createdAt > now ? now : createdAt;
}

/**
 * The billing cycle that a session keeps: that of the chosen anchor of the subscription that it activates, or of the free
 * plan. Null where it keeps none.
 */
export async function keptCycleOf(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer,
  interval: Interval | null,
  target?: Pick<Subscription, 'anchored' | 'billingCycleAnchorDate'>,
): Promise<KeptCycle | null> {
  const now = await nowOf(session, customer);
  if (target?.anchored && target.billingCycleAnchorDate && interval) {
    const times = { now, quotedAt: quotedAt(checkout, customer, now) };
    return cycleFrom(target.billingCycleAnchorDate, interval, times);
  }
  const quoted = quoteOf(checkout, customer, now);
  if (!quoted) return null;
  const status = { $in: [...currentStatuses] };
  const free = { customer: customer.id, isFreePlan: true, status };
  const order = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
  const [replaced] = await session.em.find(Subscription, free, order);
  return keptCycle(replaced, interval, { now, quotedAt: quoted });
}
