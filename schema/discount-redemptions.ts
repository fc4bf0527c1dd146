import { Customer } from '#domain/customers/customer.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { Purchase } from '#domain/purchases/purchase.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { DiscountAmountType, DiscountDuration } from './discounts.ts';
import { builder } from './engine/builder.ts';
import { loadOne } from './engine/load.ts';
import { ownId } from './engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { optionalReference, reference } from './engine/reference.ts';
import { byEnum, byId, byText } from './engine/where.ts';

builder.node(DiscountRedemption, {
  name: 'DiscountRedemption',
  description: 'The use of a discount by a customer, with the terms of that time.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('discount_redemption'),
  loadOne: loadOne(DiscountRedemption),
  fields: (t) => ({
    discountId: t.exposeID('discountId', { description: 'The discount.' }),
    discount: t.field(reference(Discount, 'discountId', 'The discount.')),
    customerId: t.exposeID('customerId', { description: 'The customer that redeemed it.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that redeemed it.')),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'The subscription whose payments it reduces; null for a purchase.',
    }),
    subscription: t.field(
      optionalReference(Subscription, 'subscriptionId', 'The subscription; null for a purchase.'),
    ),
    purchaseId: t.exposeID('purchaseId', {
      nullable: true,
      description: 'The purchase that it reduces; null for a subscription.',
    }),
    purchase: t.field(
      optionalReference(
        Purchase,
        'purchaseId',
        'The purchase that it reduces; null for a subscription.',
      ),
    ),
    name: t.exposeString('name', { description: 'The name at that time.' }),
    code: t.exposeString('code', { description: 'The code at that time.' }),
    amountType: t.expose('amountType', {
      type: DiscountAmountType,
      description: 'How it is measured.',
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The percentage, or minor units of the currency.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of the amount; null for a percentage.',
    }),
    duration: t.expose('duration', { type: DiscountDuration, description: 'How long it applies.' }),
    numberOfPayments: t.expose('numberOfPayments', {
      type: 'SafeInt',
      nullable: true,
      description: 'The payments that it reduces; null for the other durations.',
    }),
    paymentCount: t.expose('paymentCount', {
      type: 'SafeInt',
      description: 'The number of payments that it has reduced.',
    }),
    remainingPayments: t.expose('remainingPayments', {
      type: 'SafeInt',
      nullable: true,
      description: 'How many more payments it reduces; null without a limit.',
    }),
    releasedAt: t.expose('releasedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'When its order ended before a payment, so that it does not count against the limit; null for one that counts.',
    }),
  }),
});

const DiscountRedemptionFilter = builder.inputType('DiscountRedemptionFilter', {
  description: 'A filter for redemptions of discounts; all given fields must match.',
  fields: (t) => ({
    discount: t.id({ description: 'The id of the discount.' }),
    customer: t.id({ description: 'The id of the customer.' }),
    subscription: t.id({ description: 'The id of the subscription.' }),
  }),
});

readable({
  one: 'discountRedemption',
  many: 'discountRedemptions',
  noun: 'redemption of a discount',
  entity: DiscountRedemption,
  filter: DiscountRedemptionFilter,
  where: {
    discount: byId('discount', 'The discount.'),
    customer: byId('customer', 'The customer.'),
    subscription: byId('subscription', 'The subscription.'),
    code: byText('code', 'The code at the time of the redemption.'),
    duration: byEnum(DiscountDuration, 'duration', 'How long it applies.'),
  },
});
