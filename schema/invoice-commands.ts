import { createInvoice, createInvoiceInput } from '#domain/invoices/create-invoice.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { payInvoice, payInvoiceInput } from '#domain/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  invoiceIdInput,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoices/settle-by-hand.ts';
import { updateInvoice, updateInvoiceInput } from '#domain/invoices/update-invoice.ts';
import { builder } from './engine/builder.ts';
import { fieldMarks } from './engine/extensions.ts';
import { InvoiceStatus, InvoiceType, TaxType } from './invoices.ts';

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
    pdfURL: t.string({ description: 'Cannot be set: a draft has none.' }),
    receiptPdfURL: t.string({ description: 'Cannot be set: a draft has none.' }),
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
    extensions: fieldMarks({ inSteps: true }),
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
