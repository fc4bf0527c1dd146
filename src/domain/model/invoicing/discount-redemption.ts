import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import {
  Discount,
  discountAmountTypes,
  discountDurations,
  discountSize,
} from '#domain/model/catalog/discount.ts';
import type { DiscountTerms } from '#domain/model/catalog/discount-terms.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

const DiscountRedemptionSchema = defineEntity({
  name: 'DiscountRedemption',
  uniques: [
    {
      name: 'discount_redemption_subscription_unique',
      properties: ['subscription'],
      where: { subscription: { $ne: null }, removedAt: null },
    },
    {
      name: 'discount_redemption_purchase_unique',
      properties: ['purchaseId'],
      where: { purchaseId: { $ne: null } },
    },
    {
      name: 'discount_redemption_place_unique',
      properties: ['discount', 'customer', 'customerPlace'],
      where: { releasedAt: null },
    },
  ],
  indexes: [
    pageIndex('discount_redemption'),
    { name: 'discount_redemption_discount', properties: ['discount', 'createdAt'] },
    { name: 'discount_redemption_customer', properties: ['customer', 'createdAt'] },
  ],
  checks: checksOf({
    discount_redemption_target: 'num_nonnulls(subscription_id, purchase_id) <= 1',
    discount_redemption_payments: `payment_count >= 0 and case duration when 'once' then payment_count <= 1
        when 'number_of_payments' then payment_count <= number_of_payments else true end`,
    discount_redemption_terms: `amount > 0 and (amount_type = 'fixed') = (currency is not null)
        and (amount_type = 'percent' or amount = trunc(amount))
        and (duration = 'number_of_payments') = (number_of_payments is not null)
        and (duration = 'number_of_months') = (number_of_months is not null and ends_at is not null)`,
    discount_redemption_customer_limit: 'customer_place > 0 and customer_place <= customer_limit',
  }),
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
    amount: discountSize(),
    currency: p.string().length(3).nullable(),
    duration: p.enum(discountDurations),
    numberOfPayments: safeInteger().nullable(),
    numberOfMonths: safeInteger().nullable(),
    /** Its months end here: billing periods that begin from now on are not reduced. Null for other durations. */
    endsAt: instant().nullable(),
    /** The start of the last billing period that it does not reduce, since it was applied later; null for none. */
    reducesAfter: instant().nullable().hidden(),
    /** Its place among those of the customer for the discount that count, from 1, and the limit of that time. */
    customerPlace: safeInteger().hidden(),
    customerLimit: safeInteger().nullable().hidden(),
    /** The number of payments that it has reduced. */
    paymentCount: safeInteger().default(0),
    /** When its order ended without a payment, so that it counts no more; null for one that counts. */
    releasedAt: instant().nullable(),
    /** When it was removed from its subscription, or made room for another one; null for one that applies. */
    removedAt: instant().nullable(),
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

  /** How many more payments it reduces; null where their number has no limit. */
  get remainingPayments(): Opt<number> | null {
    if (this.duration === 'forever' || this.duration === 'number_of_months') return null;
    return (this.numberOfPayments ?? 1) - this.paymentCount;
  }

  /** Whether it reduces no further payment of a billing period that begins at an instant or later. */
  isOver(at: Date): boolean {
    if (this.removedAt || this.remainingPayments === 0) return true;
    return this.endsAt != null && at >= this.endsAt;
  }

  /** Whether it reduces the payment of a billing period that begins at an instant. */
  reduces(start: Date): boolean {
    return !this.isOver(start) && (this.reducesAfter == null || start > this.reducesAfter);
  }

  /** The terms, for the records that it reduces. */
  get terms(): Opt<DiscountTerms> {
    const { id: redemptionId, code, amountType, amount, currency } = this;
    return { redemptionId, code, amountType, amount, currency: currency ?? null };
  }
}
DiscountRedemptionSchema.setClass(DiscountRedemption);
