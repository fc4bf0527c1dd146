import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

export const discountAmountTypes = ['percent', 'fixed'] as const;

export const discountDurations = [
  'once',
  'forever',
  'number_of_payments',
  'number_of_months',
] as const;

/** A percentage, in which 4 decimal places are exact, or whole minor units. */
export const discountSize = () => p.decimal('number').columnType('numeric(20,4)');

const DiscountSchema = defineEntity({
  name: 'Discount',
  uniques: [{ name: 'discount_code_unique', properties: ['pricingModelId', 'code'] }],
  indexes: [pageIndex('discount')],
  checks: checksOf({
    discount_code_form: `code ~ '^[A-Z0-9_-]{2,64}$'`,
    discount_amount: `amount > 0 and (amount_type = 'percent' or amount = trunc(amount))`,
    discount_currency: `(amount_type = 'fixed') = (currency is not null) and currency ~ '^[A-Z]{3}$'`,
    discount_payments: `(duration = 'number_of_payments') = (number_of_payments is not null) and number_of_payments > 0`,
    discount_months: `(duration = 'number_of_months') = (number_of_months is not null) and number_of_months > 0`,
    discount_limit: 'redemption_count >= 0 and redemption_count <= redemption_limit',
    discount_customer_limit: 'redemption_limit_per_customer > 0',
  }),
  properties: {
    ...tenantColumns('discount'),
    name: p.string(),
    /** 2 to 64 upper-case letters, digits, hyphens and underscores, unique within the pricing model. */
    code: p.string(),
    amountType: p.enum(discountAmountTypes),
    /** A percentage of at most 4 places, of which 100 at most apply, or minor units of the currency; above 0. */
    amount: discountSize(),
    /** ISO 4217, upper case; null for a percentage. */
    currency: p.string().length(3).nullable(),
    duration: p.enum(discountDurations),
    /** For `number_of_payments`: how many payments of one customer it reduces; else null. */
    numberOfPayments: safeInteger().nullable(),
    /** For `number_of_months`: for how many months from its redemption on it reduces payments; else null. */
    numberOfMonths: safeInteger().nullable(),
    active: p.boolean().default(true),
    /** How often it has been redeemed. */
    redemptionCount: safeInteger().default(0),
    /** The most redemptions; null without a limit. */
    redemptionLimit: safeInteger().nullable(),
    /** The most redemptions of each customer; null without a limit. */
    redemptionLimitPerCustomer: safeInteger().nullable(),
    /** The instant from which on it cannot be redeemed; null without an end. */
    expiresAt: instant().nullable(),
  },
});

/** A reduction of payments, which customers redeem by its code. */
export class Discount extends DiscountSchema.class {
  /** Whether all redemptions that its limit allows have been made. */
  get isExhausted(): Opt<boolean> {
    return this.redemptionLimit != null && this.redemptionCount >= this.redemptionLimit;
  }
}
DiscountSchema.setClass(Discount);
