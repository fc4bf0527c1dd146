import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { Customer } from '#domain/customers/customer.ts';
import { Discount, discountAmountTypes, discountDurations } from '#domain/discounts/discount.ts';
import type { DiscountTerms } from '#domain/discounts/discount-terms.ts';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

const DiscountRedemptionSchema = defineEntity({
  name: 'DiscountRedemption',
  uniques: [
    {
      name: 'discount_redemption_subscription_unique',
      properties: ['subscription'],
      where: { subscription: { $ne: null } },
    },
    {
      name: 'discount_redemption_purchase_unique',
      properties: ['purchaseId'],
      where: { purchaseId: { $ne: null } },
    },
  ],
  indexes: [
    {
      name: 'discount_redemption_page',
      properties: ['pricingModelId', 'createdAt', 'position', 'id'],
    },
    { name: 'discount_redemption_discount', properties: ['discount', 'createdAt'] },
    { name: 'discount_redemption_customer', properties: ['customer', 'createdAt'] },
  ],
  checks: [
    {
      name: 'discount_redemption_target',
      expression: 'num_nonnulls(subscription_id, purchase_id) <= 1',
    },
    {
      name: 'discount_redemption_payments',
      expression: `payment_count >= 0 and case duration when 'once' then payment_count <= 1
        when 'number_of_payments' then payment_count <= number_of_payments else true end`,
    },
    {
      name: 'discount_redemption_terms',
      expression: `amount > 0 and (amount_type = 'fixed') = (currency is not null)
        and (duration = 'number_of_payments') = (number_of_payments is not null)`,
    },
  ],
  properties: {
    ...tenantColumns('discount_redemption'),
    discount: () => p.manyToOne(Discount).ref().deleteRule('restrict'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** The subscription whose payments it reduces; null for a purchase. */
    subscription: () => p.manyToOne(Subscription).ref().nullable().deleteRule('cascade'),
    /** The purchase that it reduces; null for a subscription. */
    purchaseId: p.string().nullable(),
    /** The terms of the discount as they were; later changes of it do not apply. */
    name: p.string(),
    code: p.string(),
    amountType: p.enum(discountAmountTypes),
    amount: safeInteger(),
    currency: p.string().length(3).nullable(),
    duration: p.enum(discountDurations),
    numberOfPayments: safeInteger().nullable(),
    /** The number of payments that it has reduced. */
    paymentCount: safeInteger().default(0),
    /** When its order ended without a payment, so that it counts no more; null for one that counts. */
    releasedAt: instant().nullable(),
  },
});

/** The use of a discount by a customer, with the terms of that time. */
export class DiscountRedemption extends DiscountRedemptionSchema.class {
  get discountId(): Opt<string> {
    return this.discount.id;
  }

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get subscriptionId(): Opt<string> | null {
    return this.subscription?.id ?? null;
  }

  /** How many more payments it reduces; null without a limit. */
  get remainingPayments(): Opt<number> | null {
    if (this.duration === 'forever') return null;
    return (this.numberOfPayments ?? 1) - this.paymentCount;
  }

  /** Whether it reduces no further payment. */
  get isUsedUp(): Opt<boolean> {
    return this.remainingPayments === 0;
  }

  /** The terms, for the records that it reduces. */
  get terms(): Opt<DiscountTerms> {
    const { id: redemptionId, code, amountType, amount, currency } = this;
    return { redemptionId, code, amountType, amount, currency: currency ?? null };
  }
}
DiscountRedemptionSchema.setClass(DiscountRedemption);
