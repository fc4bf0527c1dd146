import { createDiscount, createDiscountInput } from '#domain/discounts/create-discount.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { updateDiscount, updateDiscountInput } from '#domain/discounts/update-discount.ts';
import { DiscountAmountType, DiscountDuration } from './discounts.ts';
import { builder } from './engine/builder.ts';
import { expectedVersion } from './engine/expected-version.ts';

const limit = 'The most redemptions.';
const end = 'The time from which on it cannot be redeemed.';
const currency = 'The currency of an amount, an ISO 4217 code; the default currency when absent.';
const payments = 'The payments that it reduces, for the duration `number_of_payments`.';
const code = 'The code: 3 to 20 letters and digits, stored in upper case.';

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
    amount: t.field({
      type: 'SafeInt',
      required: true,
      description: 'The percentage, or minor units of the currency; above 0.',
    }),
    currency: t.string({ description: currency }),
    duration: t.field({
      type: DiscountDuration,
      required: true,
      description: 'How long it applies once it is redeemed.',
    }),
    numberOfPayments: t.field({ type: 'SafeInt', description: payments }),
    active: t.boolean({ description: 'Whether it can be redeemed; true when absent.' }),
    redemptionLimit: t.field({ type: 'SafeInt', description: `${limit} None when absent.` }),
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
    amount: t.field({
      type: 'SafeInt',
      description: 'The percentage, or minor units of the currency; above 0.',
    }),
    currency: t.string({ description: currency }),
    duration: t.field({ type: DiscountDuration, description: 'How long it applies.' }),
    numberOfPayments: t.field({ type: 'SafeInt', description: payments }),
    active: t.boolean({
      description: 'Whether it can be redeemed. Redemptions of an inactive discount still apply.',
    }),
    redemptionLimit: t.field({ type: 'SafeInt', description: limit }),
    expiresAt: t.field({ type: 'Timestamp', description: end }),
  }),
});

const payload = (verb: 'create' | 'update') =>
  builder
    .objectRef<{ discount: Discount }>(`${verb === 'create' ? 'Create' : 'Update'}DiscountPayload`)
    .implement({
      description: `The result of \`${verb}Discount\`.`,
      fields: (t) => ({
        discount: t.expose('discount', { type: Discount, description: 'The discount.' }),
      }),
    });

builder.mutationFields((t) => ({
  createDiscount: t.field({
    type: payload('create'),
    description: 'Creates a discount. Errors: BAD_REQUEST for a taken code.',
    args: {
      discount: t.arg({ type: CreateDiscount, required: true, description: 'The discount.' }),
    },
    validate: { schema: createDiscountInput },
    resolve: async (_root, args, session) => ({ discount: await createDiscount(session, args) }),
  }),
  updateDiscount: t.field({
    type: payload('update'),
    description:
      'Changes a discount; redemptions keep the terms of their time. Errors: NOT_FOUND; BAD_REQUEST for a taken code.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the discount.' }),
      discount: t.arg({ type: UpdateDiscount, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateDiscountInput },
    resolve: async (_root, args, session) => ({ discount: await updateDiscount(session, args) }),
  }),
}));
