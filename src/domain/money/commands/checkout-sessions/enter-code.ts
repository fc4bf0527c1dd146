import { discountByCode } from '#domain/catalog/find-discount.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import {
  placesOf,
  type RedemptionObstacle,
  redemptionObstacle,
} from '#domain/subscriptions/periods/redeem-discount.ts';
import { withCheckout } from './lock-checkout.ts';

/** Why the code of a discount cannot be used at a checkout. */
export type CodeObstacle = RedemptionObstacle | 'unknown' | 'closed';

/** Whether the customer may enter codes of discounts on the page of a session. */
export const takesCodes = ({ type, allowDiscountCodes }: CheckoutSession): boolean =>
  type === 'product' && allowDiscountCodes;

/**
 * Puts the discount with a code on an open session, in place of an earlier one. It counts no redemption: the first
 * attempt to pay does. Returns why the code cannot be used, with nothing written; else null.
 */
export function enterCode(
  session: Session,
  id: string,
  code: string,
): Promise<CodeObstacle | null> {
  return withCheckout(session, id, async ({ session, checkout, customer, present }) => {
    if (!checkout.isOpenAt(present)) return null;
    if (!takesCodes(checkout)) return 'closed';
    const discount = await discountByCode(session.em, code);
    if (!discount) return 'unknown';
    const obstacle = await obstacleTo(session, checkout, customer, discount);
    if (!obstacle) putDiscount(checkout, discount.id);
    return obstacle;
  });
}

/** Takes the discount from an open session whose customer may enter codes. */
export function removeCode(session: Session, id: string): Promise<void> {
  return withCheckout(session, id, async ({ checkout, present }) => {
    if (checkout.isOpenAt(present) && takesCodes(checkout)) putDiscount(checkout, null);
  });
}

/** The reason why an earlier attempt has failed is that of another order. */
function putDiscount(checkout: CheckoutSession, discountId: string | null) {
  checkout.discountId = discountId;
  checkout.problem = null;
}

/** The discount of a session, and why it cannot be redeemed any more; null without a discount. */
export async function codeOf(
  session: Session,
  checkout: CheckoutSession,
): Promise<{ readonly code: string; readonly obstacle: CodeObstacle | null } | null> {
  if (!checkout.discountId) return null;
  const discount = await session.em.findOneOrFail(Discount, checkout.discountId);
  const customer = (await checkout.customer?.loadOrFail()) ?? null;
  const now = customer ? await nowOf(session, customer) : session.now;
  const obstacle = await obstacleTo({ ...session, now }, checkout, customer, discount);
  return { code: discount.code, obstacle };
}

/** Why a session cannot redeem a discount now; null also where an earlier attempt to pay has redeemed it. */
async function obstacleTo(
  session: Session,
  { price, purchaseId }: CheckoutSession,
  customer: Customer | null,
  discount: Discount,
): Promise<RedemptionObstacle | null> {
  const redeemed = { purchaseId, discount: discount.id, releasedAt: null };
  if (purchaseId && (await session.em.count(DiscountRedemption, redeemed)) > 0) return null;
  const { currency } = (await price?.loadOrFail()) ?? { currency: '' };
  const taken = customer ? await placesOf(session, discount, customer) : undefined;
  return redemptionObstacle(session, discount, currency, taken);
}
