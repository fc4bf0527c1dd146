import {
  Discount,
  discountAmountTypes,
  discountDurations,
} from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
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

builder.node(Discount, {
  name: 'Discount',
  description: 'A reduction of payments, which customers redeem by its code.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('discount'),
  loadOne: loadOne(Discount),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    code: t.exposeString('code', {
      description:
        'The code: 2 to 64 upper-case letters, digits, hyphens and underscores, unique in the pricing model.',
    }),
    amountType: t.expose('amountType', {
      type: DiscountAmountType,
      description: 'How the discount is measured.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: sizeText,
      resolve: ({ amount }) => String(amount),
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of the amount, an ISO 4217 code; null for a percentage.',
    }),
    duration: t.expose('duration', {
      type: DiscountDuration,
      description: 'How long it applies once it is redeemed.',
    }),
    numberOfPayments: t.expose('numberOfPayments', {
      type: 'SafeInt',
      nullable: true,
      description: 'The payments that it reduces; null for the other durations.',
    }),
    numberOfMonths: t.exposeInt('numberOfMonths', {
      nullable: true,
      description:
        'The months from its redemption on in which billing periods must begin; null for the other durations.',
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether it can be redeemed. Redemptions of an inactive discount still apply.',
    }),
    redemptionCount: t.expose('redemptionCount', {
      type: 'SafeInt',
      description: 'The number of its redemptions.',
    }),
    redemptionLimit: t.expose('redemptionLimit', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most redemptions; null without a limit.',
    }),
    redemptionLimitPerCustomer: t.expose('redemptionLimitPerCustomer', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most redemptions of each customer; null without a limit.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time from which on it cannot be redeemed; null without an end.',
    }),
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
