import { Price } from '#domain/model/catalog/price.ts';
import { Purchase, purchaseStatuses } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { IntervalUnit, PriceType } from '../catalog/prices.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { reference } from '../engine/reference.ts';
import { byAmount, byEnum, byId, byTime } from '../engine/where.ts';

const PurchaseStatus = builder.enumType('PurchaseStatus', {
  description: 'The status of a purchase.',
  values: described(purchaseStatuses, {
    open: 'It is not paid, and no payment is pending.',
    pending: 'A payment is being executed.',
    failed: 'Its checkout session has ended without a payment.',
    paid: 'It is paid.',
    refunded: 'It was refunded in full.',
    partial_refund: 'It was refunded in part.',
    fraudulent: 'It was found to be fraudulent.',
  }),
});

builder.node(Purchase, {
  name: 'Purchase',
  description:
    'The order of a customer at a checkout: a product with a single payment, or the start of a subscription.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('prch'),
  loadOne: loadOne(Purchase),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    status: t.expose('status', { type: PurchaseStatus, description: 'The status.' }),
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    priceId: t.exposeID('priceId', { description: 'The price.' }),
    price: t.field(reference(Price, 'priceId', 'The price.')),
    priceType: t.expose('priceType', { type: PriceType, description: 'The type of the price.' }),
    quantity: t.exposeInt('quantity', { description: 'The number of units.' }),
    billingCycleAnchor: t.expose('billingCycleAnchor', {
      type: 'Timestamp',
      nullable: true,
      description: 'Always null: the subscription has the anchor.',
    }),
    trialPeriodDays: t.exposeInt('trialPeriodDays', {
      nullable: true,
      description: 'The days of the free trial of the price; null for a single payment.',
    }),
    pricePerBillingCycle: t.expose('pricePerBillingCycle', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The amount of a billing period before tax, in minor units; null for a single payment.',
    }),
    intervalUnit: t.expose('intervalUnit', {
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of the billing interval; null for a single payment.',
    }),
    intervalCount: t.exposeInt('intervalCount', {
      nullable: true,
      description: 'The number of units of the billing interval; null for a single payment.',
    }),
    firstInvoiceValue: t.expose('firstInvoiceValue', {
      type: 'SafeInt',
      description: 'The amount of the first invoice with tax, in minor units; 0 with a trial.',
    }),
    totalPurchaseValue: t.expose('totalPurchaseValue', {
      type: 'SafeInt',
      nullable: true,
      description: 'The whole amount with tax, in minor units; null for a subscription.',
    }),
    bankPaymentOnly: t.boolean({
      description: 'Always false.',
      resolve: () => false,
    }),
    purchaseDate: t.expose('purchaseDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of the payment; null before it.',
    }),
    endDate: t.expose('endDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'Always null.',
    }),
    proposal: t.string({ nullable: true, description: 'Always null.', resolve: () => null }),
    archived: t.boolean({ description: 'Always false.', resolve: () => false }),
    billingAddress: t.expose('billingAddress', {
      type: 'JSON',
      nullable: true,
      description: 'The billing address that the customer has entered.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'The `outputMetadata` of the checkout session.',
    }),
    place: t.int({
      description: 'The place within its checkout session, which has one purchase: 0.',
      resolve: () => 0,
    }),
  }),
});

readable({
  one: 'purchase',
  many: 'purchases',
  noun: 'purchase',
  entity: Purchase,
  where: {
    customer: byId('customer', 'The customer.'),
    price: byId('price', 'The price.'),
    status: byEnum(PurchaseStatus, 'status', 'The status.'),
    priceType: byEnum(PriceType, 'priceType', 'The type of the price.'),
    purchaseDate: byTime('purchaseDate', 'The time of the payment.'),
    firstInvoiceValue: byAmount(
      'firstInvoiceValue',
      'The amount of the first invoice.',
      (alias) => `(select price.currency from price where price.id = ${alias}.price_id)`,
    ),
  },
});
