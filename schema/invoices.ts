import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { Customer } from '#domain/customers/customer.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice, payableStatuses } from '#domain/invoices/invoice.ts';
import { overdueAt } from '#domain/invoices/overdue.ts';
import { Payment } from '#domain/payments/payment.ts';
import { amountPaidShown } from '#domain/rules/invoicing/amount-paid.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { allBelow, listBelow, mostBelow } from './engine/below.ts';
import { builder } from './engine/builder.ts';
import { loadOne } from './engine/load.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { optionalReference } from './engine/reference.ts';
import { byAmount, byEnum, byId, byText, byTime, custom } from './engine/where.ts';
import { InvoicePurpose, InvoiceStatus, InvoiceType, TaxType } from './invoice-types.ts';

const InvoiceRef = builder.node(Invoice, {
  name: 'Invoice',
  description: 'An invoice to a customer.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: 'The id, `inv_…`.' },
  loadOne: loadOne(Invoice),
  fields: (t) => ({
    purchaseId: t.exposeID('purchaseId', { nullable: true, description: 'The purchase.' }),
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
      description: 'The part of the total paid from the customer’s credit balance, in minor units.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      description: 'The tax, in minor units; added to the subtotal or included in it.',
    }),
    taxInclusive: t.exposeBoolean('taxInclusive', {
      description: 'Whether the line items include tax.',
    }),
    total: t.expose('total', {
      type: 'SafeInt',
      description: 'The amount to pay, in minor units.',
    }),
    amountPaid: t.field({
      type: 'SafeInt',
      description: 'The amount paid and not refunded, in minor units.',
      resolve: (invoice, _args, session) => amountPaidShown(session, invoice),
    }),
    amountCredited: t.expose('amountCredited', {
      type: 'SafeInt',
      description: 'The sum of the credit notes for the invoice, in minor units.',
    }),
    amountDue: t.field({
      type: 'SafeInt',
      description:
        'The amount that is still to be paid, in minor units; 0 for an invoice that is not payable.',
      resolve: async (invoice, _args, session) =>
        invoice.isPayable
          ? invoice.total - invoice.amountWaived - (await amountPaidShown(session, invoice))
          : 0,
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
      description: 'The tax rate in percent, a decimal number such as 8.875.',
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
      description: 'The invoice’s lines, in order.',
      resolve: ({ lineItems }) => lineItems.loadItems(),
    }),
    payments: t.field({
      type: [Payment],
      description: `The payment attempts, oldest first; at most the newest ${mostBelow}.`,
      deprecationReason: 'Use `paymentsPage`.',
      resolve: ({ id }, _args, session) => allBelow(session, Payment, 'invoice', id),
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

builder.objectField(InvoiceRef, 'self', (t) =>
  t.field({
    type: InvoiceRef,
    description: 'The invoice itself, for selection next to its lines.',
    deprecationReason: 'Use the fields of the invoice. REST needs this field.',
    resolve: (invoice) => invoice,
  }),
);

const InvoiceFilter = builder.inputType('InvoiceFilter', {
  description: 'A filter for invoices; all given fields must match.',
  fields: (t) => ({
    customer: t.id({ description: 'The id of the customer.' }),
    subscription: t.id({ description: 'The id of the subscription that the invoice bills.' }),
    status: t.field({ type: InvoiceStatus, description: 'The status.' }),
    type: t.field({ type: InvoiceType, description: 'The type.' }),
    invoiceNumber: t.string({ description: 'The invoice number.' }),
  }),
});

readable({
  one: 'invoice',
  many: 'invoices',
  noun: 'invoice',
  entity: Invoice,
  filter: InvoiceFilter,
  search: {
    table: 'invoice',
    description: 'A part of the invoice number, in any case.',
  },
  where: {
    customer: byId('customer', 'The customer.'),
    subscription: byId('subscription', 'The subscription that the invoice bills.'),
    billingPeriod: byId('billingPeriod', 'The billing period that the invoice bills.'),
    status: byEnum(InvoiceStatus, 'status', 'The status.'),
    type: byEnum(InvoiceType, 'type', 'The type.'),
    purpose: byEnum(InvoicePurpose, 'purpose', 'The purpose.'),
    invoiceNumber: byText('invoiceNumber', 'The invoice number.'),
    invoiceDate: byTime('invoiceDate', 'The invoice date.'),
    dueDate: byTime('dueDate', 'The due date.'),
    overdue: {
      ...custom.flag(
        'Payable invoices whose due date is past (true) or other invoices (false), by the customer’s clock.',
        overdueAt,
      ),
      timed: {
        property: 'dueDate',
        column: 'due_date',
        rows: { status: { $in: [...payableStatuses] } },
      },
    },
    total: byAmount('total', 'The amount to be paid, in minor units.'),
    currency: byText('currency', 'The currency, in upper case.'),
  },
  orders: {
    invoice_date: { property: 'invoiceDate', kind: 'time', words: 'invoice date' },
    due_date: { property: 'dueDate', kind: 'time', nullable: true, words: 'due date' },
    total: { property: 'total', kind: 'integer', words: 'total' },
    invoice_number: { property: 'invoiceNumber', kind: 'text', words: 'invoice number' },
  },
});
