import {
  type CreateDiscountInput,
  createDiscount,
} from '#domain/catalog/commands/discounts/create-discount.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { redeemDiscount } from '#domain/subscriptions/periods/redeem-discount.ts';
import { fresh } from './factories.ts';

let count = 0;

/** A discount of 20 % forever, with other fields where they are given. */
export const aDiscount = (
  session: Session,
  discount: Partial<CreateDiscountInput['discount']> = {},
) =>
  createDiscount(fresh(session), {
    discount: {
      name: 'Welcome',
      code: `CODE${++count}`,
      amountType: 'percent',
      amount: 20,
      duration: 'forever',
      ...discount,
    },
  });

/** A discount that a customer has redeemed for nothing in particular. */
export async function aRedemption(session: Session, customerId: string) {
  const discount = await aDiscount(session);
  const redemption = await command(fresh(session), async (session) => {
    const customer = await session.em.findOneOrFail(Customer, customerId);
    return redeemDiscount(session, discount, { customer, currency: 'USD' });
  });
  return { discount, redemption };
}
