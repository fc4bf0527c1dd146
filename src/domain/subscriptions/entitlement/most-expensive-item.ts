import { type ChargedItem, listedAmountOfItem } from '#domain/model/catalog/cost.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';

/** The fields that decide which item is the main one. */
interface Candidate extends ChargedItem {
  readonly addedDate: Date;
  readonly priceId: string | null;
}

/** The most expensive of the charged items; of several, the newest. */
export function mostExpensiveItem<T extends Candidate>(items: readonly T[]): T | undefined {
  const [main] = items.toSorted(
    (a, b) =>
      listedAmountOfItem(b) - listedAmountOfItem(a) ||
      b.addedDate.getTime() - a.addedDate.getTime() ||
      // The price's id decides between otherwise equal items, so that the result is always the same.
      String(a.priceId).localeCompare(String(b.priceId)),
  );
  return main;
}

/** The present name of the main item of a plan. */
export const planName = (items: readonly SubscriptionItem[]): string | undefined =>
  mostExpensiveItem(items.filter(isPlanItem))?.name;

/**
 * Sets name and price of a subscription to those of its main item; without one they stay. A name that was set by hand
 * stays as long as the main item keeps its price and the name in `before`.
 */
export function followMostExpensiveItem(
  subscription: Subscription,
  active: readonly SubscriptionItem[],
  before: string | undefined,
) {
  const main = mostExpensiveItem(active.filter(isPlanItem));
  if (!main?.price) return;
  const isGiven = subscription.name !== before && main.name === (before ?? main.name);
  if (isGiven && main.priceId === subscription.priceId) return;
  subscription.price = main.price;
  subscription.name = main.name;
}
