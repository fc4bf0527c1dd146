import { LockMode } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import { latestInstant } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { sizeText } from '#domain/model/catalog/discount-terms.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { addMonths } from './utc-calendar.ts';

/** The subject of a redemption. */
export interface DiscountTarget {
  readonly customer: Customer;
  /** The currency of the amounts that it reduces. */
  readonly currency: string;
  readonly subscription?: Subscription | null;
  readonly purchaseId?: string | null;
  /** The start of the last billing period of a running subscription, to which it is applied. */
  readonly after?: Date | null;
  /** The field of the input that names the discount. */
  readonly field?: 'discountCode' | 'discountId';
}

/** Why a discount cannot be redeemed. */
export type RedemptionObstacle = 'inactive' | 'expired' | 'exhausted' | 'usedUp' | 'currency';

/** Why a discount cannot be redeemed now; null where it can. `taken` are the places of the customer's redemptions. */
export function redemptionObstacle(
  { now }: Session,
  discount: Discount,
  currency: string,
  taken: ReadonlySet<number> = new Set(),
): RedemptionObstacle | null {
  const { active, expiresAt, amountType, redemptionLimitPerCustomer: most } = discount;
  if (!active) return 'inactive';
  if (expiresAt && expiresAt <= now) return 'expired';
  if (discount.isExhausted) return 'exhausted';
  if (most != null && taken.size >= most) return 'usedUp';
  return amountType === 'fixed' && discount.currency !== currency ? 'currency' : null;
}

/**
 * Refuses a discount that cannot be redeemed now. `taken` are the places of the customer's redemptions. Errors:
 * BAD_REQUEST with the reason.
 */
export function requireRedeemable(
  session: Session,
  discount: Discount,
  { currency, field = 'discountCode' }: Pick<DiscountTarget, 'currency' | 'field'>,
  taken?: ReadonlySet<number>,
): void {
  const obstacle = redemptionObstacle(session, discount, currency, taken);
  if (!obstacle) return;
  const { code, expiresAt, redemptionLimit, redemptionLimitPerCustomer: most } = discount;
  const reasons: Readonly<Record<RedemptionObstacle, string>> = {
    inactive: 'is not active: give another discount, or activate this one',
    expired: `has expired at ${expiresAt?.toISOString()}`,
    exhausted: `has been redeemed ${redemptionLimit} times, which is its limit`,
    usedUp: `has been redeemed by this customer up to the limit for each, which is ${most}`,
    currency: `reduces amounts in ${discount.currency} by ${sizeText(discount)}, and this amount is in ${currency}`,
  };
  const kind = obstacle === 'currency' ? 'MISMATCH' : 'INVALID_STATE';
  throw invalid(kind, field, `${code} ${reasons[obstacle]}`);
}

/** The places of the redemptions of a discount by a customer that count. They start at 1, with gaps after releases. */
export async function placesOf(
  { em }: Session,
  { id: discount }: Pick<Discount, 'id'>,
  { id: customer }: Pick<Customer, 'id'>,
): Promise<ReadonlySet<number>> {
  const counted = { discount, customer, releasedAt: null };
  const found = await em.find(DiscountRedemption, counted, {
    fields: ['customerPlace'],
    disableIdentityMap: true,
  });
  return new Set(found.map(({ customerPlace }) => customerPlace));
}

/** The first place that is free. */
export function freePlace(taken: ReadonlySet<number>): number {
  let place = 1;
  while (taken.has(place)) place++;
  return place;
}

/** The instant at which the months of a discount end; null for one whose time is not counted in months. */
export function endOfMonths(
  { numberOfMonths }: Pick<Discount, 'numberOfMonths'>,
  from: Date,
): Date | null {
  if (numberOfMonths == null) return null;
  return new Date(Math.min(addMonths(from, numberOfMonths).getTime(), latestInstant));
}

/**
 * Releases the redemption of an order that ends before its first payment: it counts no more against the limit of its
 * discount. The customer is locked.
 */
export async function releaseRedemption(
  { em, now }: Session,
  order: { readonly subscription: string } | { readonly purchaseId: string },
) {
  const redemption = await em.findOne(DiscountRedemption, { ...order, releasedAt: null });
  if (redemption) redemption.releasedAt = now;
}

/**
 * Ends a redemption for the later payments of its locked subscription. One that has reduced none counts no more against
 * the limits of its discount.
 */
export async function removeRedemption({ em, now }: Session, redemption: DiscountRedemption) {
  redemption.removedAt = now;
  if (redemption.paymentCount === 0) redemption.releasedAt ??= now;
  await em.flush();
}

/**
 * Redeems a discount for a locked customer, with its present terms. Locks the discount until the end of the
 * transaction, after customer and subscription, so that its limits count every redemption. Months count from the start
 * of a new subscription, and from now where it is applied later. Errors: BAD_REQUEST for a discount that is inactive,
 * expired, redeemed up to a limit, or in another currency.
 */
export async function redeemDiscount(
  session: Session,
  { id }: Discount,
  target: DiscountTarget,
): Promise<DiscountRedemption> {
  const { em, now } = session;
  const { customer, subscription = null, after = null } = target;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const discount = await em.findOneOrFail(Discount, id, lock);
  const taken = await placesOf(session, discount, customer);
  requireRedeemable(session, discount, target, taken);
  discount.redemptionCount += 1;
  const { name, code, amountType, amount, currency, duration, numberOfPayments } = discount;
  const redemption = em.create(DiscountRedemption, {
    discount,
    customer,
    subscription,
    purchaseId: target.purchaseId ?? null,
    name,
    code,
    amountType,
    amount,
    currency: currency ?? null,
    duration,
    numberOfPayments: numberOfPayments ?? null,
    numberOfMonths: discount.numberOfMonths ?? null,
    endsAt: endOfMonths(discount, (!after && subscription?.startDate) || now),
    reducesAfter: after,
    removedAt: null,
    customerPlace: freePlace(taken),
    customerLimit: discount.redemptionLimitPerCustomer ?? null,
  });
  await em.flush();
  return redemption;
}
