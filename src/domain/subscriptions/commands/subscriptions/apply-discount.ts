import { z } from 'zod';
import { discountField, findDiscount } from '#domain/catalog/find-discount.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { lastPeriodOf } from '#domain/platform/reads/current-period.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { refuseWhileAdjusting } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import { redeemDiscount, removeRedemption } from '#domain/subscriptions/periods/redeem-discount.ts';

export const applyDiscountInput = z.object({
  id: z.string(),
  discountCode: z.string().nullish(),
  discountId: z.string().nullish(),
});

/**
 * Redeems a discount for a subscription that exists. It reduces the billing periods that begin from then on; the last one
 * that has begun stays as it is. A discount that reduces no further payment makes room. Errors: NOT_FOUND; BAD_REQUEST
 * for a discount that cannot be redeemed. BAD_REQUEST also for a subscription that has one, waits for its first payment,
 * is never charged, has no billing periods or has ended. BAD_REQUEST also while an adjustment is being paid.
 */
export function applyDiscount(
  session: Session,
  { id, ...named }: z.output<typeof applyDiscountInput>,
): Promise<DiscountRedemption> {
  return lockCaughtUp(session, id, async ({ session, customer, subscription }) => {
    const refuse = (why: string) => invalid('INVALID_STATE', 'id', `${id} ${why}`);
    const { status, currency } = subscription;
    if (subscription.isTerminal) throw refuse(`is ${status}`);
    if (status === 'incomplete') throw refuse('waits for its first payment: apply it afterwards');
    if (subscription.doNotCharge) throw refuse('is never charged: there is nothing to reduce');
    if (!subscription.renews) throw refuse('has no billing periods');
    await refuseWhileAdjusting(session, subscription);
    const discount = await findDiscount(session, named);
    if (!discount) {
      throw invalid('REQUIRED', 'discountCode', 'give discountCode or discountId');
    }
    const present = await session.em.findOne(DiscountRedemption, {
      subscription: id,
      removedAt: null,
    });
    if (present && !present.isOver(session.now)) {
      throw refuse(`has the discount ${present.code}: remove it first`);
    }
    if (present) await removeRedemption(session, present);
    return redeemDiscount(session, discount, {
      customer,
      currency,
      subscription,
      field: discountField(named),
      after: (await lastPeriodOf(session, subscription))?.startDate ?? null,
    });
  });
}
