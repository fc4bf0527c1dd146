import { isOverdue } from '#domain/invoicing/commands/invoices/overdue.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { taxesField } from '../catalog/taxes.ts';
import { atMostBelow, linesBelow, listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';
import { optionalReference } from '../engine/reference.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { InvoicePurpose, InvoiceStatus, InvoiceType, TaxType } from '../shared/invoice-types.ts';

const bought = 'The prepaid credit that the invoice buys; null for any other invoice.';

const _InvoiceRef = builder.node(Invoice, {
  name: 'Invoice',
  description: 'An invoice to a customer.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('inv'),
  loadOne: loadOne(Invoice),
  fields: (t) => ({
    purchaseId: t.exposeID('purchaseId', { nullable: true, description: 'The purchase.' }),
    consolidatedInvoiceId: t.exposeID('consolidatedInvoiceId', {
      nullable: true,
      description: 'The consolidated invoice that has it; null for an invoice of its own.',
    }),
    consolidatedInvoice: t.field(
      optionalReference(
        ConsolidatedInvoice,
        'consolidatedInvoiceId',
        'The consolidated invoice that has it.',
      ),
    ),
    purchase: t.field(optionalReference(Purchase, 'purchaseId', 'The purchase.')),
    prepaidCreditId: t.exposeID('prepaidCreditId', { nullable: true, description: bought }),
    prepaidCredit: t.field(optionalReference(PrepaidCredit, 'prepaidCreditId', bought)),
    customerId: t.exposeID('customerId', { description: 'The customer that pays.' }),
    billingRunId: t.exposeID('billingRunId', {
      nullable: true,
      description: 'The billing run that created the invoice.',
    }),
    billingRun: t.field(
      optionalReference(BillingRun, 'billingRunId', 'The billing run that created the invoice.'),
    ),
    ownerMembershipId: t.exposeID('ownerMembershipId', {
      nullable: true,
      description: 'The member of your organization who is responsible for the invoice.',
    }),
    invoiceNumber: t.exposeString('invoiceNumber', {
      description: 'The invoice number; a customer’s numbers have no gaps.',
    }),
    invoiceDate: t.expose('invoiceDate', { type: 'Timestamp', description: 'The invoice date.' }),
    dueDate: t.expose('dueDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The due date.',
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'The status.' }),
    collectionMethod: t.expose('collectionMethod', {
      type: CollectionMethod,
      description:
        'How the invoice is collected; a later change of the subscription does not change it.',
    }),
    sentAt: t.expose('sentAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the invoice was sent; null for one that is charged.',
    }),
    overdue: t.boolean({
      description:
        'Whether the invoice is to be paid and its due date is past, by the customer’s clock.',
      resolve: (invoice, _args, session) => isOverdue(session, invoice),
    }),
    overdueAt: t.expose('overdueAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time when a sent invoice was found to be overdue, with the event `invoice.overdue`.',
    }),
    reminderCount: t.exposeInt('reminderCount', {
      description:
        'The number of reminders of a sent invoice, each with the event `invoice.reminder_due`.',
    }),
    memo: t.exposeString('memo', { nullable: true, description: 'A note to the customer.' }),
    bankPaymentOnly: t.exposeBoolean('bankPaymentOnly', {
      description: 'Whether the invoice accepts bank payments only.',
    }),
    type: t.expose('type', { type: InvoiceType, description: 'The type of the invoice.' }),
    purpose: t.expose('purpose', { type: InvoicePurpose, description: 'The purpose.' }),
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    subtotal: t.expose('subtotal', {
      type: 'SafeInt',
      description: 'The sum of the line items, in minor units.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      description:
        'The part of the total that the customer’s prepaid credits and its credit balance have paid, in minor units.',
    }),
    prepaidApplied: t.expose('prepaidApplied', {
      type: 'SafeInt',
      description: 'The part of the total that prepaid credits have paid, in minor units.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      description: 'The tax, in minor units; added to the subtotal or included in it.',
    }),
    taxInclusive: t.exposeBoolean('taxInclusive', {
      description: 'Whether the line items include tax.',
    }),
    taxes: t.field({ ...taxesField, resolve: ({ taxes }) => [...taxes] }),
    total: t.expose('total', {
      type: 'SafeInt',
      description: 'The amount to pay, in minor units.',
    }),
    amountCredited: t.expose('amountCredited', {
      type: 'SafeInt',
      description: 'The sum of the credit notes for the invoice, in minor units.',
    }),
    applicationFee: t.expose('applicationFee', {
      type: 'SafeInt',
      nullable: true,
      description: 'The platform’s fee, in minor units.',
    }),
    taxState: t.exposeString('taxState', {
      nullable: true,
      description: 'The state, province or region.',
    }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description:
        'The tax rate in percent, a decimal number such as 8.875; null where `taxes` has several.',
    }),
    taxType: t.expose('taxType', {
      type: TaxType,
      nullable: true,
      description: 'The kind of tax.',
    }),
    taxCountry: t.exposeString('taxCountry', {
      nullable: true,
      description: 'The country, an ISO 3166-1 code.',
    }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description:
        'The billing period that the invoice bills; null unless it belongs to a subscription.',
    }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description:
        'The subscription that the invoice bills; null unless it belongs to a subscription.',
    }),
    billingPeriodStartDate: t.expose('billingPeriodStartDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The billing period’s start.',
    }),
    billingPeriodEndDate: t.expose('billingPeriodEndDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The billing period’s end, exclusive.',
    }),
    pdfURL: t.string({
      nullable: true,
      description:
        'A signed link to the invoice as PDF, valid for at least 24 hours; null for a draft.',
      resolve: (invoice, _args, context) =>
        invoice.status === 'draft' ? null : context.documentLink(invoice, 'invoice'),
    }),
    receiptPdfURL: t.string({
      nullable: true,
      description:
        'A signed link to the receipt as PDF, valid for at least 24 hours; null until the invoice is paid.',
      resolve: (invoice, _args, context) =>
        invoice.hasReceipt ? context.documentLink(invoice, 'receipt') : null,
    }),
    stripeTaxCalculationId: t.string({
      nullable: true,
      description: 'Always null: the service itself computes the tax.',
      resolve: () => null,
    }),
    stripeTaxTransactionId: t.string({
      nullable: true,
      description: 'Always null: the service itself computes the tax.',
      resolve: () => null,
    }),
    customer: t.field({
      type: Customer,
      description: 'The customer that pays.',
      resolve: ({ customer }) => customer.loadOrFail(),
    }),
    subscription: t.field({
      type: Subscription,
      nullable: true,
      description: 'The subscription that the invoice bills.',
      resolve: async ({ subscription }) => (await subscription?.loadOrFail()) ?? null,
    }),
    billingPeriod: t.field({
      type: BillingPeriod,
      nullable: true,
      description: 'The billing period that the invoice bills.',
      resolve: async ({ billingPeriod }) => (await billingPeriod?.loadOrFail()) ?? null,
    }),
    lineItems: t.field({
      type: [InvoiceLineItem],
      description: `The first lines, in order; ${atMostBelow}. \`lineItemsPage\` has them all.`,
      resolve: ({ id }, _args, session) => linesBelow(session, InvoiceLineItem, 'invoice', id),
    }),
    paymentsPage: listBelow(t, Payment, { by: 'invoice', description: 'The payment attempts.' }),
    creditNotes: listBelow(t, CreditNote, {
      by: 'invoice',
      description: 'The credit notes for the invoice.',
    }),
    lineItemsPage: listBelow(t, InvoiceLineItem, {
      by: 'invoice',
      description: 'The lines of the invoice.',
    }),
  }),
});
