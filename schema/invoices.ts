import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { Customer } from '#domain/customers/customer.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice, invoiceStatuses, invoiceTypes } from '#domain/invoices/invoice.ts';
import { taxTypes } from '#domain/invoices/tax.ts';
import { Payment } from '#domain/payments/payment.ts';
import { amountPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

export const TaxType = builder.enumType('TaxType', {
  description: 'The kind of a tax.',
  values: taxTypes,
});

export const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description:
    'Where an invoice stands: a draft can be changed, an open one is to be paid; paid, uncollectible, void, partially_refunded and refunded say how that ended.',
  values: invoiceStatuses,
});

export const InvoiceType = builder.enumType('InvoiceType', {
  description: 'What an invoice is for: a subscription, a purchase, or neither (standalone).',
  values: invoiceTypes,
});

const InvoiceRef = builder.node(Invoice, {
  name: 'Invoice',
  description: 'What a customer is asked to pay, and for what.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`inv_…`' },
  loadOne: (id, { em }) => em.findOne(Invoice, id),
  fields: (t) => ({
    purchaseId: t.exposeID('purchaseId', { nullable: true, description: 'What was bought.' }),
    customerId: t.exposeID('customerId', { description: 'Who is to pay.' }),
    billingRunId: t.exposeID('billingRunId', {
      nullable: true,
      description: 'The billing run that wrote it.',
    }),
    ownerMembershipId: t.exposeID('ownerMembershipId', {
      nullable: true,
      description: 'Who of your own looks after it.',
    }),
    invoiceNumber: t.exposeString('invoiceNumber', {
      description: 'The number for people; a customer’s are without a gap.',
    }),
    invoiceDate: t.expose('invoiceDate', { type: 'Timestamp', description: 'Its date.' }),
    dueDate: t.expose('dueDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it is to be paid.',
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Where it stands.' }),
    memo: t.exposeString('memo', { nullable: true, description: 'A word to the customer.' }),
    bankPaymentOnly: t.exposeBoolean('bankPaymentOnly', {
      description: 'Whether it is to be paid through a bank only.',
    }),
    type: t.expose('type', { type: InvoiceType, description: 'What it is for.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, upper case.' }),
    subtotal: t.expose('subtotal', {
      type: 'SafeInt',
      description: 'What the line items amount to, in minor units.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      description: 'What of the total the customer’s credit balance has paid, in minor units.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      description: 'The tax, in minor units: on top of the subtotal, or a part of it.',
    }),
    taxInclusive: t.exposeBoolean('taxInclusive', {
      description: 'Whether the line items contain the tax already.',
    }),
    total: t.expose('total', { type: 'SafeInt', description: 'What is to be paid.' }),
    amountPaid: t.field({
      type: 'SafeInt',
      description: 'What has been paid and has not gone back, in minor units.',
      resolve: (invoice, _args, session) => amountPaid(session, invoice),
    }),
    applicationFee: t.expose('applicationFee', {
      type: 'SafeInt',
      nullable: true,
      description: 'What the platform keeps, in minor units.',
    }),
    taxState: t.exposeString('taxState', { nullable: true, description: 'Where in the country.' }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description: 'A decimal number, such as 8.875.',
    }),
    taxType: t.expose('taxType', { type: TaxType, nullable: true, description: 'Which tax.' }),
    taxCountry: t.exposeString('taxCountry', { nullable: true, description: 'ISO 3166-1.' }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description: 'The billing period it is for; null unless it is for a subscription.',
    }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'The subscription it is for; null unless it is for one.',
    }),
    billingPeriodStartDate: t.expose('billingPeriodStartDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'When its billing period begins.',
    }),
    billingPeriodEndDate: t.expose('billingPeriodEndDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'When its billing period ends.',
    }),
    pdfURL: t.string({
      nullable: true,
      description: 'A signed link to the invoice as PDF, good for a day; null for a draft.',
      resolve: (invoice, _args, context) =>
        invoice.status === 'draft' ? null : context.documentLink(invoice, 'invoice'),
    }),
    receiptPdfURL: t.string({
      nullable: true,
      description: 'A signed link to the receipt as PDF, good for a day; null until it is paid.',
      resolve: (invoice, _args, context) =>
        invoice.hasReceipt ? context.documentLink(invoice, 'receipt') : null,
    }),
    customer: t.field({
      type: Customer,
      description: 'Who is to pay.',
      resolve: ({ customer }) => customer.loadOrFail(),
    }),
    subscription: t.field({
      type: Subscription,
      nullable: true,
      description: 'The subscription it is for.',
      resolve: async ({ subscription }) => (await subscription?.loadOrFail()) ?? null,
    }),
    billingPeriod: t.field({
      type: BillingPeriod,
      nullable: true,
      description: 'The billing period it is for.',
      resolve: async ({ billingPeriod }) => (await billingPeriod?.loadOrFail()) ?? null,
    }),
    lineItems: t.field({
      type: [InvoiceLineItem],
      description: 'Its lines, in their order.',
      resolve: ({ lineItems }) => lineItems.loadItems(),
    }),
    payments: t.field({
      type: [Payment],
      description: 'The tries to get the money, oldest first.',
      resolve: ({ payments }) => payments.loadItems(),
    }),
  }),
});

builder.objectField(InvoiceRef, 'self', (t) =>
  t.field({
    type: InvoiceRef,
    description: 'The invoice itself, to be shown beside its lines.',
    resolve: (invoice) => invoice,
  }),
);

const InvoiceFilter = builder.inputType('InvoiceFilter', {
  description: 'Which invoices to list.',
  fields: (t) => ({
    customer: t.id({ description: 'Of the customer with this id.' }),
    subscription: t.id({ description: 'For the subscription with this id.' }),
    status: t.field({ type: InvoiceStatus, description: 'Standing there.' }),
    type: t.field({ type: InvoiceType, description: 'Of this type.' }),
    invoiceNumber: t.string({ description: 'With this number.' }),
  }),
});

readable({
  one: 'invoice',
  many: 'invoices',
  noun: 'invoice',
  entity: Invoice,
  filter: InvoiceFilter,
});
