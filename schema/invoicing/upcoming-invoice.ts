import { Price } from '#domain/model/catalog/price.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { UpcomingInvoice } from '#domain/money/collection/rehearse-billing.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { upcomingInvoiceChanges } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice-changes.ts';
import { taxesField } from '../catalog/taxes.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { float, nullable, of, safeInt, time } from '../engine/fields.ts';
import { optionalReference, withId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { InvoicePurpose, TaxType } from '../shared/invoice-types.ts';
import { InvoiceLineItemType } from './invoice-line-items.ts';

const UpcomingInvoiceLine = object<InvoiceLineItem>('UpcomingInvoiceLine')({
  description: 'One line of an upcoming invoice.',
  fields: () => ({
    type: of(InvoiceLineItemType, 'The type of the line.'),
    description: nullable.text('The description.'),
    quantity: float('The quantity; negative for credited usage.'),
    price: safeInt('The price of one unit, in minor units.'),
    amount: safeInt('The amount of the line, in minor units; negative for credited usage.'),
    usageQuantity: nullable.decimal('The billed or credited usage; null for an agreed amount.'),
    priceId: nullable.id('The price that the line follows.'),
    priceObject: optionalReference(Price, 'priceId', 'The price that the line follows.'),
  }),
});

export const UpcomingInvoiceRef = object<UpcomingInvoice>('UpcomingInvoice')({
  description:
    'The next invoice of a subscription, if nothing changes until then. It has no id and no number yet.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription.'),
    ...withId('customer', Customer, 'The customer that pays.'),
    asOf: time('The time of the computation, by the customer’s clock.'),
    purpose: t.field({
      type: InvoicePurpose,
      description: 'The purpose.',
      resolve: ({ invoice }) => invoice.purpose,
    }),
    invoiceDate: t.field({
      type: 'Timestamp',
      description: 'The time when the invoice will be created.',
      resolve: ({ invoice }) => invoice.invoiceDate,
    }),
    billingPeriodStartDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The start of the billing period.',
      resolve: ({ invoice }) => invoice.billingPeriodStartDate ?? null,
    }),
    billingPeriodEndDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The end of the billing period, exclusive.',
      resolve: ({ invoice }) => invoice.billingPeriodEndDate ?? null,
    }),
    collectionMethod: t.field({
      type: CollectionMethod,
      description: 'How the invoice will be collected.',
      resolve: ({ invoice }) => invoice.collectionMethod,
    }),
    dueDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The due date.',
      resolve: ({ invoice }) => invoice.dueDate ?? null,
    }),
    currency: t.string({
      description: 'The currency, an ISO 4217 code in upper case.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    subtotal: t.field({
      type: 'SafeInt',
      description: 'The sum of the lines, in minor units.',
      resolve: ({ invoice }) => invoice.subtotal,
    }),
    taxType: t.field({
      type: TaxType,
      nullable: true,
      description: 'The kind of tax.',
      resolve: ({ invoice }) => invoice.taxType ?? null,
    }),
    taxRatePercentage: t.string({
      nullable: true,
      description: 'The tax rate in percent, a decimal number such as 8.875.',
      resolve: ({ invoice }) => invoice.taxRatePercentage ?? null,
    }),
    taxInclusive: t.boolean({
      description: 'Whether the lines include tax.',
      resolve: ({ invoice }) => invoice.taxInclusive,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      description: 'The tax, in minor units; added to the subtotal or included in it.',
      resolve: ({ invoice }) => invoice.taxAmount,
    }),
    taxes: t.field({ ...taxesField, resolve: ({ invoice }) => [...invoice.taxes] }),
    total: t.field({
      type: 'SafeInt',
      description: 'The total, in minor units.',
      resolve: ({ invoice }) => invoice.total,
    }),
    creditApplied: t.field({
      type: 'SafeInt',
      description:
        'The part of the total that prepaid credits and the credit balance pay, in minor units.',
      resolve: ({ invoice }) => invoice.creditApplied,
    }),
    prepaidApplied: t.field({
      type: 'SafeInt',
      description: 'The part of the total that prepaid credits pay, in minor units.',
      resolve: ({ invoice }) => invoice.prepaidApplied,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      description: 'The part of the total that will be charged or sent, in minor units.',
      resolve: ({ invoice }) => invoice.total - invoice.creditApplied,
    }),
    lines: t.field({
      type: [UpcomingInvoiceLine],
      description: `The first lines, in order; ${atMostBelow}.`,
      resolve: ({ lines }) => upToMost(lines),
    }),
  }),
});

const ofSubscription = {
  required: true,
  description: 'The id of the subscription.',
} as const;

builder.queryField('upcomingInvoice', (t) =>
  t.field({
    type: UpcomingInvoiceRef,
    nullable: true,
    description:
      'The next invoice of a subscription, if nothing changes until then; null when none will follow. The code that bills computes it and stores nothing. Errors: NOT_FOUND.',
    args: { subscription: t.arg.id(ofSubscription) },
    resolve: (_root, { subscription }, session) => upcomingInvoice(session, subscription),
  }),
);

builder.subscriptionField('upcomingInvoiceChanged', (t) =>
  t.field({
    type: UpcomingInvoiceRef,
    nullable: true,
    description:
      'Emits the next invoice of a subscription now, and again whenever usage or anything else changes it. It emits at most once a second, and null when no invoice will follow. Errors: NOT_FOUND.',
    args: { subscription: t.arg.id(ofSubscription) },
    subscribe: async (_root, { subscription }, session) =>
      (await upcomingInvoiceChanges(session, subscription)) as AsyncIterable<never>,
    resolve: (change) => (change as { upcoming: UpcomingInvoice | null }).upcoming,
  }),
);
