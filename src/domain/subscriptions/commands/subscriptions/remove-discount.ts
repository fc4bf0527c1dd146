import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { refuseWhileAdjusting } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import { removeRedemption } from '#domain/subscriptions/periods/redeem-discount.ts';

export const removeDiscountInput = z.object({ id: z.string() });

/**
 * Ends the discount of a subscription. Billing periods that have begun with it keep it. A redemption that has reduced no
 * payment is released. Errors: NOT_FOUND; BAD_REQUEST for a subscription without a discount, for one that has ended, and
 * while an adjustment is being paid.
 */
export function removeDiscount(
  session: Session,
  { id }: z.output<typeof removeDiscountInput>,
): Promise<DiscountRedemption> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    const refuse = (why: string) => invalid('INVALID_STATE', 'id', `${id} ${why}`);
    if (subscription.isTerminal) throw refuse(`is ${subscription.status}`);
    await refuseWhileAdjusting(session, subscription);
    const redemption = await session.em.findOne(DiscountRedemption, {
      subscription: id,
      removedAt: null,
    });
    if (!redemption) throw refuse('has no discount to remove');
    await removeRedemption(session, redemption);
    return redemption;
  });
}
