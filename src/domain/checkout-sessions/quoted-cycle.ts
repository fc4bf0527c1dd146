import type { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/prices/price.ts';
import { type KeptCycle, keptCycle } from '#domain/rules/periods/kept-cycle.ts';
import { nowOf } from '#domain/rules/reads/read-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { currentStatuses } from '#domain/subscriptions/subscription-statuses.ts';
import type { CheckoutSession } from './checkout-session.ts';

/**
 * The instant from which on a session charges a billing cycle that it keeps: its own creation, so that the page shows
 * the amount that is charged. For a customer with a test clock it is the time of the clock. Null where no cycle is kept.
 */
export function quoteOf(
  { preserveBillingCycleAnchor, createdAt }: CheckoutSession,
  { testClockId }: Pick<Customer, 'testClockId'>,
  now: Date,
): Date | null {
  if (!preserveBillingCycleAnchor) return null;
  return testClockId || createdAt > now ? now : createdAt;
}

/** The billing cycle of the free plan that a session keeps; null where it keeps none. */
export async function keptCycleOf(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer,
  interval: Interval | null,
): Promise<KeptCycle | null> {
  const now = await nowOf(session, customer);
  const quotedAt = quoteOf(checkout, customer, now);
  if (!quotedAt) return null;
  const status = { $in: [...currentStatuses] };
  const free = { customer: customer.id, isFreePlan: true, status };
  const order = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
  const [replaced] = await session.em.find(Subscription, free, order);
  return keptCycle(replaced, interval, { now, quotedAt });
}
