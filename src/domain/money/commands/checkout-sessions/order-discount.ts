import type { Discount } from '#domain/model/catalog/discount.ts';
import type { DiscountSize } from '#domain/model/catalog/discount-terms.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { endOfMonths } from '#domain/subscriptions/periods/redeem-discount.ts';

/** The discount on an order, and the number of payments that it reduces; null without an end. */
export interface OrderDiscount {
  readonly terms: DiscountSize & { readonly code: string };
  readonly payments: number | null;
}

/** The charged billing periods of an order: the start of the first one, and the instant from which they repeat. */
export interface ChargedPeriods {
  readonly first: Date;
  readonly anchor: Date;
  readonly interval: Interval | null;
}

/** A discount as an order redeems it at an instant; null where its months end before the first charged period. */
export function discountOn(
  discount: Discount,
  now: Date,
  periods: ChargedPeriods,
): OrderDiscount | null {
  const { duration, numberOfPayments } = discount;
  const end = periods.interval && endOfMonths(discount, now);
  const payments = end
    ? periodsBefore(end, periods)
    : duration === 'once'
      ? 1
      : (numberOfPayments ?? null);
  return payments === 0 ? null : { terms: discount, payments };
}

/** A redeemed discount of a subscription that is activated. */
export function redeemedOn(redemption: DiscountRedemption, periods: ChargedPeriods): OrderDiscount {
  const { terms, endsAt, remainingPayments } = redemption;
  return {
    terms,
    payments: endsAt ? periodsBefore(endsAt, periods) : (remainingPayments ?? null),
  };
}

/** How many billing periods begin before an instant. */
function periodsBefore(end: Date, { first, anchor, interval }: ChargedPeriods): number {
  if (!interval) return first < end ? 1 : 0;
  let count = 0;
  for (let at = first; at < end; at = nextBoundary(anchor, interval, at)) count++;
  return count;
}
