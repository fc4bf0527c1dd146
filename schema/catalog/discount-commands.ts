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
import { decimal, id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { DiscountAmountType, DiscountDuration, sizeText } from './discounts.ts';

const limit = 'The most redemptions.';
const end = 'The time from which on it cannot be redeemed.';
const currency = 'The currency of an amount, an ISO 4217 code; the default currency when absent.';
const payments = 'The payments that it reduces, for the duration `number_of_payments`.';
const months =
  'The months from its redemption on in which billing periods must begin, for the duration `number_of_months`.';
const each = 'The most redemptions of each customer.';
const code = 'The code: 2 to 64 letters, digits, hyphens and underscores, stored in upper case.';

const CreateDiscount = input('CreateDiscountInput', {
  description: 'A new discount.',
  fields: {
    name: text('The display name.'),
    code: text(code),
    amountType: of(DiscountAmountType, 'How it is measured.'),
    amount: decimal(sizeText),
    currency: nullable.text(currency),
    duration: of(DiscountDuration, 'How long it applies once it is redeemed.'),
    numberOfPayments: nullable.safeInt(payments),
    numberOfMonths: nullable.int(months),
    active: nullable.flag('Whether it can be redeemed; true when absent.'),
    redemptionLimit: nullable.safeInt(`${limit} None when absent.`),
    redemptionLimitPerCustomer: nullable.safeInt(`${each} None when absent.`),
    expiresAt: nullable.time(`${end} Never when absent.`),
  },
});

const UpdateDiscount = input('UpdateDiscountInput', {
  description: 'Changes to a discount; absent fields do not change.',
  fields: {
    id: nullable.id('The id, repeated; it must equal the id of the request.'),
    name: nullable.text('The display name.'),
    code: nullable.text(code),
    amountType: nullable.of(DiscountAmountType, 'How it is measured.'),
    amount: nullable.decimal(sizeText),
    currency: nullable.text(currency),
    duration: nullable.of(DiscountDuration, 'How long it applies.'),
    numberOfPayments: nullable.safeInt(payments),
    numberOfMonths: nullable.int(months),
    active: nullable.flag(
      'Whether it can be redeemed. Redemptions of an inactive discount still apply.',
    ),
    redemptionLimit: nullable.safeInt(limit),
    redemptionLimitPerCustomer: nullable.safeInt(each),
    expiresAt: nullable.time(end),
  },
});

// The inputs turn the decimal text of an amount into a number, which the types of arguments cannot state.
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
