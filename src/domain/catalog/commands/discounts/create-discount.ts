import { z } from 'zod';
import { currencyFor } from '#domain/catalog/currency.ts';
import { command } from '#domain/kernel/command.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { contradictionsOf, discountFields } from './discount-input.ts';

const {
  currency,
  numberOfPayments,
  numberOfMonths,
  active,
  redemptionLimit,
  redemptionLimitPerCustomer,
  expiresAt,
  ...required
} = discountFields;

export const createDiscountInput = z.object({
  discount: z
    .object({
      ...required,
      currency: currency.nullish(),
      numberOfPayments: numberOfPayments.nullish(),
      numberOfMonths: numberOfMonths.nullish(),
      active: active.nullish(),
      redemptionLimit: redemptionLimit.nullish(),
      redemptionLimitPerCustomer: redemptionLimitPerCustomer.nullish(),
      expiresAt: expiresAt.nullish(),
    })
    .superRefine((discount, context) => {
      for (const [code, path, message] of contradictionsOf(discount)) {
        context.addIssue({ code: 'custom', ...coded(code, path, message) });
      }
    }),
});

export type CreateDiscountInput = z.output<typeof createDiscountInput>;

/**
 * Adds a discount to the key's pricing model. An amount without a currency is in the default currency. Errors:
 * BAD_REQUEST for a taken code.
 */
export function createDiscount(session: Session, { discount }: CreateDiscountInput) {
  return command(session, async (session) => {
    const { amountType, currency, active } = discount;
    return session.em.create(Discount, {
      ...discount,
      currency: amountType === 'fixed' ? await currencyFor(session, currency) : null,
      numberOfPayments: discount.numberOfPayments ?? null,
      numberOfMonths: discount.numberOfMonths ?? null,
      active: active ?? true,
      redemptionLimit: discount.redemptionLimit ?? null,
      redemptionLimitPerCustomer: discount.redemptionLimitPerCustomer ?? null,
      expiresAt: discount.expiresAt ?? null,
    });
  });
}
