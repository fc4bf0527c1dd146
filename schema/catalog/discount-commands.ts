import {
  createDiscount,
  createDiscountInput,
} from '#domain/catalog/commands/discounts/create-discount.ts';
import {
  updateDiscount,
  updateDiscountInput,
} from '#domain/catalog/commands/discounts/update-discount.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { decimal, id, nullable, of, optional, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { DiscountAmountType, DiscountDuration, sizeText } from './discounts.ts';

const limit = 'The most redemptions.';
const end = 'The time from which on it cannot be redeemed.';
const each = 'The most redemptions of each customer.';

const terms = {
  name: text('The display name.'),
  code: text('The code: 2 to 64 letters, digits, hyphens and underscores, stored in upper case.'),
  amountType: of(DiscountAmountType, 'How it is measured.'),
  amount: decimal(sizeText),
  currency: nullable.text(
    'The currency of an amount, an ISO 4217 code; the default currency when absent.',
  ),
  numberOfPayments: nullable.safeInt(
    'The payments that it reduces, for the duration `number_of_payments`.',
  ),
  numberOfMonths: nullable.int(
    'The months from its redemption on in which billing periods must begin, for the duration `number_of_months`.',
  ),
};

const CreateDiscount = input('CreateDiscountInput', {
  description: 'A new discount.',
  fields: {
    ...terms,
    duration: of(DiscountDuration, 'How long it applies once it is redeemed.'),
    active: nullable.flag('Whether it can be redeemed; true when absent.'),
    redemptionLimit: nullable.safeInt(`${limit} None when absent.`),
    redemptionLimitPerCustomer: nullable.safeInt(`${each} None when absent.`),
    expiresAt: nullable.time(`${end} Never when absent.`),
  },
});

const UpdateDiscount = input('UpdateDiscountInput', {
  description: 'Changes to a discount; absent fields do not change.',
  fields: {
    id: repeatedId,
    ...optional(terms),
    duration: nullable.of(DiscountDuration, 'How long it applies.'),
    active: nullable.flag(
      'Whether it can be redeemed. Redemptions of an inactive discount still apply.',
    ),
    redemptionLimit: nullable.safeInt(limit),
    redemptionLimitPerCustomer: nullable.safeInt(each),
    expiresAt: nullable.time(end),
  },
});

mutation('createDiscount', {
  returns: [Discount, 'The new discount.'],
  description: 'Creates a discount. Errors: BAD_REQUEST for a taken code.',
  args: { discount: of(CreateDiscount, 'The discount.') },
  input: createDiscountInput,
  command: createDiscount,
});

mutation('updateDiscount', {
  returns: [Discount, 'The changed discount.'],
  description:
    'Changes a discount; redemptions keep the terms of their time. Errors: NOT_FOUND; BAD_REQUEST for a taken code.',
  args: {
    id: id('The id of the discount.'),
    discount: of(UpdateDiscount, 'The changes.'),
    expectedVersion,
  },
  input: updateDiscountInput,
  command: updateDiscount,
});
