import { Price } from '#domain/model/catalog/price.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { OneOffCharge, oneOffChargeStatuses } from '#domain/model/invoicing/one-off-charge.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
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

builder.node(OneOffCharge, {
  name: 'OneOffCharge',
  description: 'A charge of a subscription that its next invoice bills once.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('one_off'),
  loadOne: loadOne(OneOffCharge),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    subscription: t.field(reference(Subscription, 'subscriptionId', 'The subscription.')),
    status: t.expose('status', {
      type: OneOffChargeStatus,
      description: 'Whether it is on an invoice.',
    }),
    name: t.exposeString('name', { description: 'The name, which the invoice shows.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The description, which the invoice shows after the name.',
    }),
    quantity: t.exposeFloat('quantity', {
      description: 'The quantity, of at most 9 decimal places.',
    }),
    unitPrice: t.expose('unitPrice', {
      type: 'SafeInt',
      description: 'The price of one unit, in minor units of the currency of the subscription.',
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount before tax, in minor units, rounded half up.',
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: priceText }),
    price: t.field(optionalReference(Price, 'priceId', priceText)),
    invoiceId: t.exposeID('invoiceId', { nullable: true, description: invoiceText }),
    invoice: t.field(optionalReference(Invoice, 'invoiceId', invoiceText)),
    billedAt: t.expose('billedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The instant at which an invoice has billed it; null while it is pending.',
    }),
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
