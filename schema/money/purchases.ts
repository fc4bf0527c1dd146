import { Price } from '#domain/model/catalog/price.ts';
import { Purchase, purchaseStatuses } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { IntervalUnit, PriceType } from '../catalog/prices.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { int, nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
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

record(Purchase, {
  description:
    'The order of a customer at a checkout: a product with a single payment, or the start of a subscription.',
  fields: (t) => ({
    name: text('The display name.'),
    status: of(PurchaseStatus, 'The status.'),
    ...withId('customer', Customer, 'The customer.'),
    ...withId('price', Price, 'The price.'),
    priceType: of(PriceType, 'The type of the price.'),
    quantity: int('The number of units.'),
    billingCycleAnchor: nullable.time('Always null: the subscription has the anchor.'),
    trialPeriodDays: nullable.int(
      'The days of the free trial of the price; null for a single payment.',
    ),
    pricePerBillingCycle: nullable.safeInt(
      'The amount of a billing period before tax, in minor units; null for a single payment.',
    ),
    intervalUnit: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; null for a single payment.',
    ),
    intervalCount: nullable.int(
      'The number of units of the billing interval; null for a single payment.',
    ),
    firstInvoiceValue: safeInt(
      'The amount of the first invoice with tax, in minor units; 0 with a trial.',
    ),
    totalPurchaseValue: nullable.safeInt(
      'The whole amount with tax, in minor units; null for a subscription.',
    ),
    bankPaymentOnly: t.boolean({
      description: 'Always false.',
      resolve: () => false,
    }),
    purchaseDate: nullable.time('The time of the payment; null before it.'),
    endDate: nullable.time('Always null.'),
    proposal: t.string({ nullable: true, description: 'Always null.', resolve: () => null }),
    archived: t.boolean({ description: 'Always false.', resolve: () => false }),
    billingAddress: nullable.json('The billing address that the customer has entered.'),
    metadata: nullable.json('The `outputMetadata` of the checkout session.'),
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
