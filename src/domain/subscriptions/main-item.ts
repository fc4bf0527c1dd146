import type { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import type { Subscription } from './subscription.ts';

/** What decides which item a subscription goes by. */
interface Candidate {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly addedDate: Date;
  readonly priceId: string | null;
}

/** The most expensive of some items that are charged for, of several the newest (reference §5.5). */
export function mainItem<T extends Candidate>(items: readonly T[]): T | undefined {
  const [main] = items.toSorted(
    (a, b) =>
      b.unitPrice * b.quantity - a.unitPrice * a.quantity ||
      b.addedDate.getTime() - a.addedDate.getTime() ||
      // What else is equal is decided in the same way every time.
      String(a.priceId).localeCompare(String(b.priceId)),
  );
  return main;
}

/** The subscription goes by the name and price of its main item; without one it stays as it is. */
export function followMainItem(subscription: Subscription, active: readonly SubscriptionItem[]) {
  const main = mainItem(active.filter(({ manuallyCreated, price }) => !manuallyCreated && price));
  if (!main?.price || main.priceId === subscription.priceId) return;
  subscription.price = main.price;
  subscription.name = main.name;
}
