import type { Session } from '#domain/kernel/session.ts';
import { withAmount } from '#domain/model/catalog/cost.ts';
import { pricingAtInstant } from '#domain/model/catalog/pricing.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { followItemTrials } from '#domain/subscriptions/adjusting/follow-item-trials.ts';
import { worthAfter } from '#domain/subscriptions/adjusting/proration.ts';
import { discountedChange } from '#domain/subscriptions/adjusting/share-period.ts';
import { chargedPeriod, chargeRest, worthsOf } from './charge-rest.ts';

/**
 * Ends the trials of the items of a locked subscription that are due now. The rest of the running period becomes a
 * one-off charge for each, which the next invoice bills; the next period charges the items as others.
 */
export async function endItemTrials(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const all = await pricedItemsOf(session, subscription);
  const items = all.filter((item) => item.isActive(now) && isPlanItem(item));
  const period = await chargedPeriod(session, subscription);
  let whole = period ? (await worthsOf(session, period)).whole : { worth: 0, listed: 0 };
  for (const item of all) {
    const { unitPrice, quantity, pricing = null } = item;
    const tried = pricingAtInstant(pricing, now);
    if (tried === pricing) continue;
    const before = planTotal(items);
    Object.assign(item, withAmount({ unitPrice, quantity, pricing: tried }));
    if (!period || !items.includes(item)) continue;
    const change = { oldTotal: before, newTotal: planTotal(items), startsPeriod: false };
    const total = worthAfter(whole.worth, discountedChange(period, change));
    const listed = worthAfter(whole.listed, change);
    const more = { worth: total - whole.worth, listed: listed - whole.listed };
    whole = { worth: total, listed };
    const { name } = item;
    chargeRest(session, subscription, period, {
      name,
      price: item.price?.unwrap() ?? null,
      ...more,
    });
  }
  await em.flush();
  await followItemTrials(session, subscription);
}
