import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { listedTotal } from '#domain/model/subscriptions/planned-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';

/** Of current or paused subscriptions the one at price 0: a free plan, or one whose items cost nothing any more. */
export async function freeAmong(
  session: Session,
  subscriptions: readonly Subscription[],
): Promise<Subscription | undefined> {
  for (const one of subscriptions) {
    if (one.isFreePlan) return one;
    if (!one.isCharged || !one.renews || one.commitment) continue;
    const items = await pricedItemsOf(session, one);
    const plan = items.filter((item) => isPlanItem(item) && item.isActive(session.now));
    if (plan.length > 0 && listedTotal(plan) === 0) return one;
  }
  return undefined;
}

/**
 * The refusal of a second subscription at price 0: a customer has at most one, whatever door it comes by. It is usually
 * the free plan.
 */
export const secondFree = ({ externalId }: Customer, { id, name }: Subscription) =>
  new DomainError(
    'CONFLICT',
    `Customer ${externalId} already has a subscription at price 0 (${id}, ${name}) and cannot have another one: add features to it, or subscribe to a price above 0 with doNotCharge`,
    { reason: 'ALREADY_SUBSCRIBED' },
  );

/** Refuses items at price 0 for a locked subscription whose customer has another one at price 0. Errors: CONFLICT. */
export async function refuseSecondFree(
  session: Session,
  subscription: Subscription,
  items: Parameters<typeof listedTotal>[0],
) {
  if (listedTotal(items) > 0 || !subscription.isCharged || subscription.commitment) return;
  const { customerId, id } = subscription;
  const all = await session.em.find(Subscription, { customer: customerId, id: { $ne: id } });
  const other = await freeAmong(
    session,
    all.filter(({ stands }) => stands),
  );
  if (other) throw secondFree(await subscription.customer.loadOrFail(), other);
}
