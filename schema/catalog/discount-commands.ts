import {
  createDiscount,
  createDiscountInput,
} from '#domain/catalog/commands/discounts/create-discount.ts';
import {
  updateDiscount,
  updateDiscountInput,
} from '#domain/catalog/commands/discounts/update-discount.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { builder } from '../engine/builder.ts';
import { byCommand } from '../engine/by-command.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { payload } from '../engine/payload.ts';
import { DiscountAmountType, DiscountDuration, sizeText } from './discounts.ts';

const limit = 'The most redemptions.';
const end = 'The time from which on it cannot be redeemed.';
const currency = 'The currency of an amount, an ISO 4217 code; the default currency when absent.';
const payments = 'The payments that it reduces, for the duration `number_of_payments`.';
const months =
  'The months from its redemption on in which billing periods must begin, for the duration `number_of_months`.';
const each = 'The most redemptions of each customer.';
const code = 'The code: 2 to 64 letters, digits, hyphens and underscores, stored in upper case.';

const CreateDiscount = builder.inputType('CreateDiscountInput', {
  description: 'A new discount.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The display name.' }),
    code: t.string({ required: true, description: code }),
    amountType: t.field({
      type: DiscountAmountType,
      required: true,
      description: 'How it is measured.',
    }),
    amount: t.field({ type: 'Decimal', required: true, description: sizeText }),
    currency: t.string({ description: currency }),
    duration: t.field({
      type: DiscountDuration,
      required: true,
      description: 'How long it applies once it is redeemed.',
    }),
    numberOfPayments: t.field({ type: 'SafeInt', description: payments }),
    numberOfMonths: t.int({ description: months }),
    active: t.boolean({ description: 'Whether it can be redeemed; true when absent.' }),
    redemptionLimit: t.field({ type: 'SafeInt', description: `${limit} None when absent.` }),
    redemptionLimitPerCustomer: t.field({
      type: 'SafeInt',
      description: `${each} None when absent.`,
    }),
    expiresAt: t.field({ type: 'Timestamp', description: `${end} Never when absent.` }),
  }),
});

const UpdateDiscount = builder.inputType('UpdateDiscountInput', {
  description: 'Changes to a discount; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    name: t.string({ description: 'The display name.' }),
    code: t.string({ description: code }),
    amountType: t.field({ type: DiscountAmountType, description: 'How it is measured.' }),
    amount: t.field({ type: 'Decimal', description: sizeText }),
    currency: t.string({ description: currency }),
    duration: t.field({ type: DiscountDuration, description: 'How long it applies.' }),
    numberOfPayments: t.field({ type: 'SafeInt', description: payments }),
    numberOfMonths: t.int({ description: months }),
    active: t.boolean({
      description: 'Whether it can be redeemed. Redemptions of an inactive discount still apply.',
    }),
    redemptionLimit: t.field({ type: 'SafeInt', description: limit }),
    redemptionLimitPerCustomer: t.field({ type: 'SafeInt', description: each }),
    expiresAt: t.field({ type: 'Timestamp', description: end }),
  }),
});

// The inputs turn the decimal text of an amount into a number, which the types of arguments cannot state.
builder.mutationFields((t) => ({
  createDiscount: t.field({
    type: payload('createDiscount', Discount, 'The new discount.'),
    description: 'Creates a discount. Errors: BAD_REQUEST for a taken code.',
    args: {
      discount: t.arg({ type: CreateDiscount, required: true, description: 'The discount.' }),
    },
    ...byCommand(createDiscountInput, createDiscount),
  }),
  updateDiscount: t.field({
    type: payload('updateDiscount', Discount, 'The changed discount.'),
    description:
      'Changes a discount; redemptions keep the terms of their time. Errors: NOT_FOUND; BAD_REQUEST for a taken code.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the discount.' }),
      discount: t.arg({ type: UpdateDiscount, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    ...byCommand(updateDiscountInput, updateDiscount),
  }),
}));
