import { Price } from '#domain/model/catalog/price.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { OneOffCharge, oneOffChargeStatuses } from '#domain/model/invoicing/one-off-charge.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { float, nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byId, byPresence } from '../engine/where.ts';

const OneOffChargeStatus = builder.enumType('OneOffChargeStatus', {
  description: 'Whether a one-off charge is on an invoice.',
  values: described(oneOffChargeStatuses, {
    pending: 'The next invoice bills it. It can be changed and deleted.',
    billed: 'An invoice has billed it.',
  }),
});

const priceText = 'The price whose product has the tax code; null for the usual taxes.';
const invoiceText = 'The invoice that has billed it; null while it is pending.';

record(OneOffCharge, {
  description: 'A charge of a subscription that its next invoice bills once.',
  fields: () => ({
    ...withId('customer', Customer, 'The customer.'),
    ...withId('subscription', Subscription, 'The subscription.'),
    status: of(OneOffChargeStatus, 'Whether it is on an invoice.'),
    name: text('The name, which the invoice shows.'),
    description: nullable.text('The description, which the invoice shows after the name.'),
    quantity: float('The quantity, of at most 9 decimal places.'),
    unitPrice: safeInt(
      'The price of one unit, in minor units of the currency of the subscription.',
    ),
    amount: safeInt('The amount before tax, in minor units, rounded half up.'),
    ...withOptionalId('price', Price, priceText),
    ...withOptionalId('invoice', Invoice, invoiceText),
    billedAt: nullable.time(
      'The instant at which an invoice has billed it; null while it is pending.',
    ),
  }),
});

readable({
  one: 'oneOffCharge',
  many: 'oneOffCharges',
  noun: 'one-off charge',
  entity: OneOffCharge,
  where: {
    customer: byId('customerId', 'The customer.'),
    subscription: byId('subscription', 'The subscription.'),
    invoice: byId('invoice', 'The invoice.'),
    billed: byPresence('billedAt', 'Billed (true) or pending (false).'),
  },
});

builder.objectField(Subscription, 'oneOffCharges', (t) =>
  listBelow(t, OneOffCharge, { by: 'subscription', description: 'Its one-off charges.' }),
);
