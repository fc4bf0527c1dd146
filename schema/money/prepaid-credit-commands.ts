import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import {
  buyPrepaidCredit,
  buyPrepaidCreditInput,
} from '#domain/money/commands/prepaid-credits/buy-prepaid-credit.ts';
import {
  createPrepaidCredit,
  createPrepaidCreditInput,
} from '#domain/money/commands/prepaid-credits/create-prepaid-credit.ts';
import {
  revokePrepaidCredit,
  revokePrepaidCreditInput,
} from '#domain/money/commands/prepaid-credits/revoke-prepaid-credit.ts';
import { builder } from '../engine/builder.ts';
import { id, nullable, of, safeInt } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const NewPrepaidCreditSource = builder.enumType('NewPrepaidCreditSource', {
  description: 'How a customer gets prepaid credit.',
  values: {
    purchase: { description: 'An invoice buys it, and it is granted once that is paid.' },
    gift: { description: 'It is given now, without an invoice.' },
  } as const,
});

const CreatePrepaidCredit = input('CreatePrepaidCreditInput', {
  description: 'Prepaid credit of a customer.',
  fields: {
    customerId: id('The customer.'),
    source: of(NewPrepaidCreditSource, 'Whether it is bought or given.'),
    amount: safeInt('The amount, 1 or more, in minor units; it is the price of a purchase, too.'),
    currency: nullable.text('The currency, an ISO 4217 code; that of the customer when absent.'),
    priority: nullable.int(
      'The priority, 0 to 100; lower ones are used first. It is 50 when absent.',
    ),
    validDays: nullable.int(
      'The days from the grant to the expiry; absent for credit that does not expire.',
    ),
    expiresAt: nullable.time(
      'For a gift: the time from which it cannot be used; alternative to `validDays`.',
    ),
    rollovers: nullable.int(
      'How often unused credit survives its expiry for another `validDays`; absent for never.',
    ),
    rolloverLimit: nullable.safeInt('The largest amount that survives an expiry; absent for all.'),
    paymentMethodId: nullable.id(
      'For a purchase: the payment method; the customer’s default when absent.',
    ),
    reason: nullable.text('The reason. The customer can read it.'),
  },
});

const BuyPrepaidCredit = input('BuyPrepaidCreditInput', {
  description: 'Prepaid credit that a customer buys itself.',
  fields: {
    customerId: id('The customer.'),
    amount: safeInt('The amount, and its price, in minor units: one that the organization offers.'),
    currency: nullable.text('The currency, an ISO 4217 code; that of the customer when absent.'),
    paymentMethodId: nullable.id('The payment method; the customer’s default when absent.'),
  },
});

mutation('buyPrepaidCredit', {
  returns: [PrepaidCredit, 'The prepaid credit.'],
  extensions: { inSteps: true },
  description:
    'Buys prepaid credit as its customer, such as with a customer token, within `prepaidOffers` of the organization. The invoice is charged now or sent. If that first payment fails, the credit and its invoice are void, and the payments of the invoice state the reason. `paymentActionUrl` of the invoice leads to a confirmation. Errors: FORBIDDEN where customers may not buy; BAD_REQUEST as for `createPrepaidCredit`, for an amount or a currency that is not offered, and while an earlier purchase is not paid.',
  args: { prepaidCredit: of(BuyPrepaidCredit, 'The purchase.') },
  input: buyPrepaidCreditInput,
  command: buyPrepaidCredit,
});

mutation('createPrepaidCredit', {
  returns: [PrepaidCredit, 'The new prepaid credit.'],
  extensions: { inSteps: true },
  description:
    'Creates prepaid credit of a customer. A gift is granted now. A purchase has an invoice without tax, which is charged now or sent, and is granted once that is paid. Errors: BAD_REQUEST for an unknown object, an archived customer, another currency than the customer’s, a time that has passed, and without a payment method.',
  args: { prepaidCredit: of(CreatePrepaidCredit, 'The credit.') },
  input: createPrepaidCreditInput,
  command: createPrepaidCredit,
});

mutation('revokePrepaidCredit', {
  returns: [PrepaidCredit, 'The revoked prepaid credit.'],
  description:
    'Revokes what remains of a gift, and what returns to it later. The used part stays used. One that is revoked already is returned as it is. Errors: NOT_FOUND; BAD_REQUEST for bought credit.',
  args: { id: id('The id of the prepaid credit.') },
  input: revokePrepaidCreditInput,
  command: revokePrepaidCredit,
});
