import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { isPlanItem } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** What decides which item a subscription goes by. */
interface Candidate {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly addedDate: Date;
  readonly priceId: string | null;
}

/** The most expensive of the charged items; of several, the newest. */
export function planItem<T extends Candidate>(items: readonly T[]): T | undefined {
  const [main] = items.toSorted(
    (a, b) =>
      b.unitPrice * b.quantity - a.unitPrice * a.quantity ||
      b.addedDate.getTime() - a.addedDate.getTime() ||
      // What else is equal is decided in the same way every time.
      String(a.priceId).localeCompare(String(b.priceId)),
  );
  return main;
}

/** The name of the main item of a plan as it is now. */
export const planName = (items: readonly SubscriptionItem[]): string | undefined =>
  planItem(items.filter(isPlanItem))?.name;

/**
 * The subscription goes by the name and price of its main item; without one it stays as it is. A name that it was
 * given stays as long as the main item keeps its price and its name, which was `before`, however many there are.
 */
export function followPlanItem(
  subscription: Subscription,
  active: readonly SubscriptionItem[],
  before: string | undefined,
) {
  const main = planItem(active.filter(isPlanItem));
  if (!main?.price) return;
  const isGiven = subscription.name !== before && bare(main.name) === bare(before ?? main.name);
  if (isGiven && main.priceId === subscription.priceId) return;
  subscription.price = main.price;
  subscription.name = main.name;
}

/** Names of items may end with how many there were at first. */
const bare = (name: string) => name.replace(/ x \d+$/, '');
