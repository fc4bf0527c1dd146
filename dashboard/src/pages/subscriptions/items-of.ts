import type { OneSubscriptionQuery } from './subscription.generated.ts';

/** An item of a subscription, as its page reads it. */
export type SubscriptionItem = NonNullable<
  OneSubscriptionQuery['subscription']
>['itemsPage']['nodes'][number];

/** The price of each unit of an item; undefined where the model of its price states the amount. */
export const ownUnitPrice = ({ unitPrice, model }: SubscriptionItem): number | undefined =>
  model === 'per_unit' ? unitPrice : undefined;

/** The paid items of a subscription by their time. The item that only carries features added by hand is left out. */
export function itemsOf(items: readonly SubscriptionItem[], now: number) {
  const paid = items.filter(({ manuallyCreated }) => !manuallyCreated);
  const isOver = ({ expiredAt }: SubscriptionItem) => expiredAt !== null && expiredAt <= now;
  return {
    current: paid.filter((item) => item.addedDate <= now && !isOver(item)),
    // The items of a canceled change end before they begin.
    scheduled: paid.filter((item) => item.addedDate > now && !isOver(item)),
    ended: paid.filter((item) => item.addedDate <= now && isOver(item)),
  };
}
