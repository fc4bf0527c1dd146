import { Discount } from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { DiscountAmountType, DiscountDuration, sizeText } from '../catalog/discounts.ts';
import { nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byText, byTime } from '../engine/where.ts';

record(DiscountRedemption, {
  description: 'The use of a discount by a customer, with the terms of that time.',
  fields: (t) => ({
    ...withId('discount', Discount, 'The discount.'),
    ...withId('customer', Customer, 'The customer that redeemed it.'),
    subscriptionId: nullable.id('The subscription whose payments it reduces; null for a purchase.'),
    subscription: optionalReference(
      Subscription,
      'subscriptionId',
      'The subscription; null for a purchase.',
    ),
    ...withOptionalId(
      'purchase',
      Purchase,
      'The purchase that it reduces; null for a subscription.',
    ),
    name: text('The name at that time.'),
    code: text('The code at that time.'),
    amountType: of(DiscountAmountType, 'How it is measured.'),
    amount: t.field({
      type: 'Decimal',
      description: sizeText,
      resolve: ({ amount }) => String(amount),
    }),
    currency: nullable.text('The currency of the amount; null for a percentage.'),
    duration: of(DiscountDuration, 'How long it applies.'),
    numberOfPayments: nullable.safeInt(
      'The payments that it reduces; null for the other durations.',
    ),
    numberOfMonths: nullable.int(
      'The months in which billing periods must begin; null for the other durations.',
    ),
    endsAt: nullable.time(
      'The end of its months: it reduces billing periods that begin before. Null for the other durations.',
    ),
    paymentCount: safeInt('The number of payments that it has reduced.'),
    remainingPayments: nullable.safeInt(
      'How many more payments it reduces; null where their number has no limit.',
    ),
    releasedAt: nullable.time(
      'When its order ended, or it was removed, before a payment, so that it does not count against limits; null for one that counts.',
    ),
    removedAt: nullable.time(
      'When it was removed from its subscription, or made room for another one; null for one that applies.',
    ),
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
