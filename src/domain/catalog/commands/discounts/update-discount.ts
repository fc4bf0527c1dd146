import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { currencyFor } from '#domain/catalog/currency.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { contradictionsOf, discountFields } from './discount-input.ts';

export const updateDiscountInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    discount: z.object(changesTo({ id: z.string(), ...discountFields })),
  })
  .refine(...sameId('discount'));

export type UpdateDiscountInput = z.output<typeof updateDiscountInput>;

/**
 * Changes a discount. Redemptions keep the terms of their time, and deactivation does not end them. A change of type
 * or duration removes the field that only the former one has. Errors: NOT_FOUND; BAD_REQUEST for a taken code, for
 * contradictory fields, and for a limit below the number of redemptions. A limit per customer may be below: it counts from
 * the next redemption on.
 */
export function updateDiscount(
  session: Session,
  { id, discount, expectedVersion }: UpdateDiscountInput,
) {
  return command(session, async (session) => {
    const { em } = session;
    const currency = await currencyFor(session, discount.currency);
    const stored = await em.findOneOrFail(Discount, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(stored, expectedVersion);
    const amountType = discount.amountType ?? stored.amountType;
    const duration = discount.duration ?? stored.duration;
    // Another duration drops the length of the former one.
    const kept = duration === stored.duration ? stored : null;
    const numberOfPayments = discount.numberOfPayments ?? kept?.numberOfPayments ?? null;
    const numberOfMonths = discount.numberOfMonths ?? kept?.numberOfMonths ?? null;
    const amount = discount.amount ?? stored.amount;
    const [first] = contradictionsOf({
      amountType,
      amount,
      duration,
      currency: discount.currency,
      numberOfPayments,
      numberOfMonths,
    });
    if (first) throw invalid(first[0], `discount.${first[1]}`, first[2]);
    const { redemptionLimit } = discount;
    if (redemptionLimit != null && redemptionLimit < stored.redemptionCount) {
      const least = `must be at least ${stored.redemptionCount}, the number of redemptions so far`;
      throw invalid('OUT_OF_RANGE', 'discount.redemptionLimit', least);
    }
    stored.amountType = amountType;
    stored.duration = duration;
    stored.numberOfPayments = numberOfPayments;
    stored.numberOfMonths = numberOfMonths;
    if (amountType === 'percent') stored.currency = null;
    else if (discount.currency || !stored.currency) stored.currency = currency;
    stored.name = discount.name ?? stored.name;
    stored.code = discount.code ?? stored.code;
    stored.amount = amount;
    stored.active = discount.active ?? stored.active;
    stored.redemptionLimit = redemptionLimit ?? stored.redemptionLimit ?? null;
    stored.redemptionLimitPerCustomer =
      discount.redemptionLimitPerCustomer ?? stored.redemptionLimitPerCustomer ?? null;
    stored.expiresAt = discount.expiresAt ?? stored.expiresAt ?? null;
    return stored;
  });
}
