import {
  Discount,
  discountAmountTypes,
  discountDurations,
} from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byText, byTime } from '../engine/where.ts';

export const DiscountAmountType = builder.enumType('DiscountAmountType', {
  description: 'How a discount is measured.',
  values: described(discountAmountTypes, {
    percent: 'A percentage of the subtotal; at most 100 apply.',
    fixed: 'An amount of its currency, at most the subtotal.',
  }),
});

export const DiscountDuration = builder.enumType('DiscountDuration', {
  description: 'How long a redeemed discount applies.',
  values: described(discountDurations, {
    once: 'The discount reduces one payment.',
    forever: 'The discount reduces every payment.',
    number_of_payments: 'The discount reduces a number of payments.',
    number_of_months:
      'The discount reduces billing periods that begin within a number of months from its redemption.',
  }),
});

/** The meaning of the size of a discount. */
export const sizeText =
  'The percentage, with at most 4 decimal places, or whole minor units of the currency; above 0.';

record(Discount, {
  description: 'A reduction of payments, which customers redeem by its code.',
  fields: (t) => ({
    name: text('The display name.'),
    code: text(
      'The code: 2 to 64 upper-case letters, digits, hyphens and underscores, unique in the pricing model.',
    ),
    amountType: of(DiscountAmountType, 'How the discount is measured.'),
    amount: t.field({
      type: 'Decimal',
      description: sizeText,
      resolve: ({ amount }) => String(amount),
    }),
    currency: nullable.text('The currency of the amount, an ISO 4217 code; null for a percentage.'),
    duration: of(DiscountDuration, 'How long it applies once it is redeemed.'),
    numberOfPayments: nullable.safeInt(
      'The payments that it reduces; null for the other durations.',
    ),
    numberOfMonths: nullable.int(
      'The months from its redemption on in which billing periods must begin; null for the other durations.',
    ),
    active: flag('Whether it can be redeemed. Redemptions of an inactive discount still apply.'),
    redemptionCount: safeInt('The number of its redemptions.'),
    redemptionLimit: nullable.safeInt('The most redemptions; null without a limit.'),
    redemptionLimitPerCustomer: nullable.safeInt(
      'The most redemptions of each customer; null without a limit.',
    ),
    expiresAt: nullable.time('The time from which on it cannot be redeemed; null without an end.'),
    redemptions: listBelow(t, DiscountRedemption, {
      by: 'discount',
      description: 'The redemptions of the discount.',
    }),
  }),
});

readable({
  one: 'discount',
  many: 'discounts',
  noun: 'discount',
  entity: Discount,
  where: {
    name: byText('name', 'The display name.'),
    code: byText('code', 'The code, in upper case.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    amountType: byEnum(DiscountAmountType, 'amountType', 'How it is measured.'),
    duration: byEnum(DiscountDuration, 'duration', 'How long it applies.'),
    expiresAt: byTime('expiresAt', 'The time from which on it cannot be redeemed.'),
  },
  orders: { name: { property: 'name', kind: 'text', words: 'name' } },
});
