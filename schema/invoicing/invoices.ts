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
import { flag, id, int, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { optionalReference, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { InvoicePurpose, InvoiceStatus, InvoiceType, TaxType } from '../shared/invoice-types.ts';

const bought = 'The prepaid credit that the invoice buys; null for any other invoice.';

const _InvoiceRef = record(Invoice, {
  description: 'An invoice to a customer.',
  fields: (t) => ({
    ...withOptionalId('purchase', Purchase, 'The purchase.'),
    consolidatedInvoiceId: nullable.id(
      'The consolidated invoice that has it; null for an invoice of its own.',
    ),
    consolidatedInvoice: optionalReference(
      ConsolidatedInvoice,
      'consolidatedInvoiceId',
      'The consolidated invoice that has it.',
    ),
    ...withOptionalId('prepaidCredit', PrepaidCredit, bought),
    customerId: id('The customer that pays.'),
    ...withOptionalId('billingRun', BillingRun, 'The billing run that created the invoice.'),
    ownerMembershipId: nullable.id(
      'The member of your organization who is responsible for the invoice.',
    ),
    invoiceNumber: text('The invoice number; a customer’s numbers have no gaps.'),
    invoiceDate: time('The invoice date.'),
    dueDate: nullable.time('The due date.'),
    status: of(InvoiceStatus, 'The status.'),
    collectionMethod: of(
      CollectionMethod,
      'How the invoice is collected; a later change of the subscription does not change it.',
    ),
    sentAt: nullable.time('The time when the invoice was sent; null for one that is charged.'),
    overdue: t.boolean({
      description:
        'Whether the invoice is to be paid and its due date is past, by the customer’s clock.',
      resolve: (invoice, _args, session) => isOverdue(session, invoice),
    }),
    overdueAt: nullable.time(
      'The time when a sent invoice was found to be overdue, with the event `invoice.overdue`.',
    ),
    reminderCount: int(
      'The number of reminders of a sent invoice, each with the event `invoice.reminder_due`.',
    ),
    memo: nullable.text('A note to the customer.'),
    bankPaymentOnly: flag('Whether the invoice accepts bank payments only.'),
    type: of(InvoiceType, 'The type of the invoice.'),
    purpose: of(InvoicePurpose, 'The purpose.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    subtotal: safeInt('The sum of the line items, in minor units.'),
    creditApplied: safeInt(
      'The part of the total that the customer’s prepaid credits and its credit balance have paid, in minor units.',
    ),
    prepaidApplied: safeInt(
      'The part of the total that prepaid credits have paid, in minor units.',
    ),
    taxAmount: safeInt('The tax, in minor units; added to the subtotal or included in it.'),
    taxInclusive: flag('Whether the line items include tax.'),
    taxes: t.field({ ...taxesField, resolve: ({ taxes }) => [...taxes] }),
    total: safeInt('The amount to pay, in minor units.'),
    amountCredited: safeInt('The sum of the credit notes for the invoice, in minor units.'),
    applicationFee: nullable.safeInt('The platform’s fee, in minor units.'),
    taxState: nullable.text('The state, province or region.'),
    taxRatePercentage: nullable.text(
      'The tax rate in percent, a decimal number such as 8.875; null where `taxes` has several.',
    ),
    taxType: nullable.of(TaxType, 'The kind of tax.'),
    taxCountry: nullable.text('The country, an ISO 3166-1 code.'),
    billingPeriodId: nullable.id(
      'The billing period that the invoice bills; null unless it belongs to a subscription.',
    ),
    subscriptionId: nullable.id(
      'The subscription that the invoice bills; null unless it belongs to a subscription.',
    ),
    billingPeriodStartDate: nullable.time('The billing period’s start.'),
    billingPeriodEndDate: nullable.time('The billing period’s end, exclusive.'),
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
