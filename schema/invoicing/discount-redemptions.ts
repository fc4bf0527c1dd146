import { Discount } from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { DiscountAmountType, DiscountDuration, sizeText } from '../catalog/discounts.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byEnum, byId, byText, byTime } from '../engine/where.ts';

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
    amount: t.field({
      type: 'Decimal',
      description: sizeText,
      resolve: ({ amount }) => String(amount),
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
    numberOfMonths: t.exposeInt('numberOfMonths', {
      nullable: true,
      description: 'The months in which billing periods must begin; null for the other durations.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The end of its months: it reduces billing periods that begin before. Null for the other durations.',
    }),
    paymentCount: t.expose('paymentCount', {
      type: 'SafeInt',
      description: 'The number of payments that it has reduced.',
    }),
    remainingPayments: t.expose('remainingPayments', {
      type: 'SafeInt',
      nullable: true,
      description: 'How many more payments it reduces; null where their number has no limit.',
    }),
    releasedAt: t.expose('releasedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'When its order ended, or it was removed, before a payment, so that it does not count against limits; null for one that counts.',
    }),
    removedAt: t.expose('removedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'When it was removed from its subscription, or made room for another one; null for one that applies.',
    }),
  }),
});

readable({
  one: 'discountRedemption',
  many: 'discountRedemptions',
  noun: 'redemption of a discount',
  entity: DiscountRedemption,
  where: {
    discount: byId('discount', 'The discount.'),
    customer: byId('customer', 'The customer.'),
    subscription: byId('subscription', 'The subscription.'),
    code: byText('code', 'The code at the time of the redemption.'),
    duration: byEnum(DiscountDuration, 'duration', 'How long it applies.'),
    removedAt: byTime('removedAt', 'When it was removed from its subscription.'),
  },
});
