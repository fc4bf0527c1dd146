import { LockMode } from '@mikro-orm/core';
import type { Customer } from '#domain/customers/customer.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { sizeText } from '#domain/discounts/discount-terms.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** The subject of a redemption. */
export interface DiscountTarget {
  readonly customer: Customer;
  /** The currency of the amounts that it reduces. */
  readonly currency: string;
  readonly subscription?: Subscription | null;
  readonly purchaseId?: string | null;
  /** The field of the input that names the discount. */
  readonly field?: 'discountCode' | 'discountId';
}

/** Refuses a discount that cannot be redeemed now. Errors: BAD_REQUEST with the reason. */
export function requireRedeemable(
  { now }: Session,
  discount: Discount,
  { currency, field = 'discountCode' }: Pick<DiscountTarget, 'currency' | 'field'>,
): void {
  const { code, active, expiresAt, redemptionLimit, amountType } = discount;
  const refuse = (why: string) => invalid('INVALID_STATE', field, `${code} ${why}`);
  if (!active) throw refuse('is not active: give another discount, or activate this one');
  if (expiresAt && expiresAt <= now) throw refuse(`has expired at ${expiresAt.toISOString()}`);
  if (discount.isExhausted) {
    throw refuse(`has been redeemed ${redemptionLimit} times, which is its limit`);
  }
  if (amountType === 'fixed' && discount.currency !== currency) {
    const message = `${code} reduces amounts in ${discount.currency} by ${sizeText(discount)}, and this amount is in ${currency}`;
    throw invalid('MISMATCH', field, message);
  }
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
 * Redeems a discount for a locked customer, with its present terms. Locks the discount until the end of the
 * transaction, after customer and subscription, so that its limit counts every redemption. Errors: BAD_REQUEST for a
 * discount that is inactive, expired, redeemed up to its limit, or in another currency.
 */
export async function redeemDiscount(
  session: Session,
  { id }: Discount,
  target: DiscountTarget,
): Promise<DiscountRedemption> {
  const { em } = session;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const discount = await em.findOneOrFail(Discount, id, lock);
  requireRedeemable(session, discount, target);
  discount.redemptionCount += 1;
  const { name, code, amountType, amount, currency, duration, numberOfPayments } = discount;
  const redemption = em.create(DiscountRedemption, {
    discount,
    customer: target.customer,
    subscription: target.subscription ?? null,
    purchaseId: target.purchaseId ?? null,
    name,
    code,
    amountType,
    amount,
    currency: currency ?? null,
    duration,
    numberOfPayments: numberOfPayments ?? null,
  });
  await em.flush();
  return redemption;
}
