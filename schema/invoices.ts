import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { Customer } from '#domain/customers/customer.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { createInvoice, createInvoiceInput } from '#domain/invoices/create-invoice.ts';
import { Invoice, invoiceStatuses, invoiceTypes } from '#domain/invoices/invoice.ts';
import { paidOf } from '#domain/invoices/paid-of.ts';
import { payInvoice, payInvoiceInput } from '#domain/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  invoiceIdInput,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoices/settle-by-hand.ts';
import { taxTypes } from '#domain/invoices/tax.ts';
import { updateInvoice, updateInvoiceInput } from '#domain/invoices/update-invoice.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './records.ts';

export const TaxType = builder.enumType('TaxType', {
  description: 'The kind of a tax.',
  values: taxTypes,
});

const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description:
    'Where an invoice stands: a draft can be changed, an open one is to be paid; paid, uncollectible, void, partially_refunded and refunded say how that ended.',
  values: invoiceStatuses,
});

const InvoiceType = builder.enumType('InvoiceType', {
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
      resolve: (invoice, _args, session) => paidOf(session, invoice),
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
      resolve: (invoice, _args, { documentLink }) =>
        invoice.status === 'draft' ? null : documentLink(invoice, 'invoice'),
    }),
    receiptPdfURL: t.string({
      nullable: true,
      description: 'A signed link to the receipt as PDF, good for a day; null until it is paid.',
      resolve: (invoice, _args, { documentLink }) =>
        invoice.hasReceipt ? documentLink(invoice, 'receipt') : null,
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

const InvoiceLineItemInput = builder.inputType('InvoiceLineItemInput', {
  description: 'One line of an invoice.',
  fields: (t) => ({
    invoiceId: t.id({ description: 'The invoice; must be the one of the call.' }),
    quantity: t.field({ type: 'SafeInt', required: true, description: 'How many, 0 or more.' }),
    priceId: t.id({ description: 'A price of the catalog that it follows.' }),
    description: t.string({ description: 'What it is, for people.' }),
    price: t.field({ type: 'SafeInt', required: true, description: 'Minor units for one.' }),
  }),
});

const CreateInvoice = builder.inputType('CreateInvoiceInput', {
  description: 'A new draft that stands alone.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'Who is to pay.' }),
    dueDate: t.field({ type: 'Timestamp', description: 'When it is to be paid; now when absent.' }),
    memo: t.string({ description: 'A word to the customer.' }),
  }),
});

const UpdateInvoice = builder.inputType('UpdateInvoiceInput', {
  description: 'Changes to a draft; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    purchaseId: t.id({ description: 'Cannot change; must equal what it is.' }),
    invoiceNumber: t.string({ description: 'Cannot change; must equal what it is.' }),
    invoiceDate: t.field({ type: 'Timestamp', description: 'Its date.' }),
    billingPeriodId: t.id({ description: 'Cannot change; must equal what it is.' }),
    dueDate: t.field({ type: 'Timestamp', description: 'When it is to be paid.' }),
    customerId: t.id({ description: 'Cannot change; must equal what it is.' }),
    status: t.field({
      type: InvoiceStatus,
      description: 'Cannot change here; must equal what it is.',
    }),
    subscriptionId: t.id({ description: 'Cannot change; must equal what it is.' }),
    billingPeriodStartDate: t.field({
      type: 'Timestamp',
      description: 'When its billing period begins.',
    }),
    billingPeriodEndDate: t.field({
      type: 'Timestamp',
      description: 'When its billing period ends.',
    }),
    ownerMembershipId: t.id({ description: 'Who of your own looks after it.' }),
    pdfURL: t.string({ description: 'Is made by the service, whatever is given here.' }),
    receiptPdfURL: t.string({ description: 'Is made by the service, whatever is given here.' }),
    memo: t.string({ description: 'A word to the customer.' }),
    bankPaymentOnly: t.boolean({ description: 'Whether it is to be paid through a bank only.' }),
    type: t.field({ type: InvoiceType, description: 'Cannot change; must equal what it is.' }),
    currency: t.string({ description: 'Cannot change; must equal what it is.' }),
    subtotal: t.field({
      type: 'SafeInt',
      description: 'Must be what the lines amount to.',
    }),
    taxType: t.field({ type: TaxType, description: 'Which tax.' }),
    taxCountry: t.string({ description: 'Where: two capital letters, ISO 3166-1.' }),
    taxState: t.string({ description: 'Where in the country.' }),
  }),
});

builder.mutationFields((t) => ({
  createInvoice: t.field({
    type: Invoice,
    description:
      'Drafts an invoice that stands alone. Errors: BAD_REQUEST for an unknown customer or price.',
    args: {
      invoice: t.arg({ type: CreateInvoice, required: true, description: 'The invoice.' }),
      invoiceLineItems: t.arg({
        type: [InvoiceLineItemInput],
        required: true,
        description: 'Its lines, 1 to 500.',
      }),
    },
    validate: { schema: createInvoiceInput },
    resolve: (_root, args, session) => createInvoice(session, args),
  }),
  updateInvoice: t.field({
    type: Invoice,
    description:
      'Changes a draft; the lines are replaced as a whole, and the amounts follow from them. Errors: NOT_FOUND; BAD_REQUEST for what is no draft any more, and for what cannot change.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the invoice.' }),
      invoice: t.arg({ type: UpdateInvoice, description: 'The changes.' }),
      invoiceLineItems: t.arg({
        type: [InvoiceLineItemInput],
        description: 'Its lines from now on, 1 to 500; they stay when absent.',
      }),
    },
    validate: { schema: updateInvoiceInput },
    resolve: (_root, args, session) => updateInvoice(session, args),
  }),
  finalizeInvoice: t.field({
    type: Invoice,
    description:
      'Makes a draft an invoice that is to be paid; nothing of it changes afterwards. Errors: NOT_FOUND; BAD_REQUEST.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    validate: { schema: invoiceIdInput },
    resolve: (_root, args, session) => finalizeInvoice(session, args),
  }),
  voidInvoice: t.field({
    type: Invoice,
    description:
      'Takes an invoice back that has not been paid, as if it had not been written; its number stays taken. Errors: NOT_FOUND; BAD_REQUEST.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    validate: { schema: invoiceIdInput },
    resolve: (_root, args, session) => voidInvoice(session, args),
  }),
  markInvoiceUncollectible: t.field({
    type: Invoice,
    description: 'Gives up being paid for an open invoice. Errors: NOT_FOUND; BAD_REQUEST.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    validate: { schema: invoiceIdInput },
    resolve: (_root, args, session) => markInvoiceUncollectible(session, args),
  }),
  payInvoice: t.field({
    type: Invoice,
    description:
      'Charges what is still to be paid for an open invoice now; how that went is in the invoice and its payments. Errors: NOT_FOUND; BAD_REQUEST for one that is not open, and without a payment method.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the invoice.' }),
      paymentMethodId: t.arg.id({
        description: 'What to pay with; the customer’s default when absent.',
      }),
    },
    validate: { schema: payInvoiceInput },
    resolve: (_root, args, session) => payInvoice(session, args),
  }),
}));
