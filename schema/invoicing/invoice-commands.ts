import {
  createInvoice,
  createInvoiceInput,
} from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice, payInvoiceInput } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  type PaidTogether,
  payInvoices,
  payInvoicesInput,
} from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import {
  finalizeInvoice,
  invoiceIdInput,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import {
  updateInvoice,
  updateInvoiceInput,
} from '#domain/invoicing/commands/invoices/update-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { float, id, nullable, of, repeatedId, safeInt } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input, object } from '../engine/types.ts';
import { InvoiceStatus, InvoiceType, TaxType } from '../shared/invoice-types.ts';

const InvoiceLineItemInput = input('InvoiceLineItemInput', {
  extensions: { repeats: { id: null, type: 'static' } },
  description: 'One line of an invoice.',
  fields: {
    invoiceId: nullable.id('The invoice; it must be the invoice of the request.'),
    quantity: float(
      'The quantity, a number of at most 9 decimal places and 15 digits. Price times quantity is rounded half up once, a half away from 0.',
    ),
    priceId: nullable.id('The price in the catalog that the line follows.'),
    description: nullable.text('The description.'),
    price: safeInt(
      'The price of one unit, in whole minor units; below 0 for a credit or a discount. The lines together must not be below 0.',
    ),
  },
});

const CreateInvoice = input('CreateInvoiceInput', {
  description: 'A new draft invoice without a subscription.',
  fields: {
    customerId: id('The customer that pays.'),
    currency: nullable.text(
      'The currency, an ISO 4217 code; that of the customer, else of the organization, when absent.',
    ),
    dueDate: nullable.time('The due date; now when absent.'),
    memo: nullable.text('A note to the customer.'),
  },
});

const UpdateInvoice = input('UpdateInvoiceInput', {
  // Clients send an answer back; these follow from the lines and the payments.
  extensions: {
    repeats: {
      ...{ billingRunId: null, taxAmount: null, taxRatePercentage: null, applicationFee: null },
      ...{
        stripePaymentIntentId: null,
        stripeTaxCalculationId: null,
        stripeTaxTransactionId: null,
      },
      prepaidApplied: null,
    },
  },
  description:
    'Changes to a draft. Absent fields do not change; null empties dates, texts and the place of the tax.',
  fields: {
    id: repeatedId,
    purchaseId: nullable.id('Cannot change; it must equal the present value.'),
    invoiceNumber: nullable.text('Cannot change; it must equal the present value.'),
    invoiceDate: nullable.time('The invoice date.'),
    billingPeriodId: nullable.id('Cannot change; it must equal the present value.'),
    dueDate: nullable.time('The due date.', nullEmpties),
    customerId: nullable.id('Cannot change; it must equal the present value.'),
    status: nullable.of(InvoiceStatus, 'Cannot change here; it must equal the present value.'),
    subscriptionId: nullable.id('Cannot change; it must equal the present value.'),
    billingPeriodStartDate: nullable.time('The billing period’s start.', nullEmpties),
    billingPeriodEndDate: nullable.time('The billing period’s end, exclusive.', nullEmpties),
    ownerMembershipId: nullable.id(
      'The member of your organization who is responsible for the invoice.',
      nullEmpties,
    ),
    pdfURL: nullable.text('Must be absent or null, because a draft has no PDF.'),
    receiptPdfURL: nullable.text('Must be absent or null, because a draft has no receipt.'),
    memo: nullable.text('A note to the customer.', nullEmpties),
    bankPaymentOnly: nullable.flag('Whether the invoice accepts bank payments only.'),
    type: nullable.of(InvoiceType, 'Cannot change; it must equal the present value.'),
    currency: nullable.text('Cannot change; it must equal the present value.'),
    subtotal: nullable.safeInt('The subtotal; it must equal the sum of the lines, or be -1.'),
    taxType: nullable.of(TaxType, 'The kind of tax.'),
    taxCountry: nullable.text(
      'The country, an ISO 3166-1 code of two capital letters.',
      nullEmpties,
    ),
    taxState: nullable.text('The state, province or region.', nullEmpties),
  },
});

const PayInvoicesPayload = object<PaidTogether>('PayInvoicesPayload')({
  description: 'Invoices that were charged together.',
  fields: (t) => ({
    invoices: of([Invoice], 'The invoices, in the order of the request; at most 100.'),
    payments: of(
      [Payment],
      'The payments of the charge, one for each invoice with an amount due; the first one states the amount of the charge. At most 100.',
    ),
    paymentActionUrl: t.string({
      nullable: true,
      description:
        'The page where the customer confirms the charge; null unless it waits for that.',
      resolve: ({ payments: [payment] }) => payment?.actionPage() ?? null,
    }),
  }),
});

mutation('createInvoice', {
  returns: [Invoice, 'The new invoice.'],
  description:
    'Creates a draft invoice without a subscription; `finalizeInvoice` makes it payable. Errors: BAD_REQUEST for an unknown or archived customer, an unknown price and a currency other than the customer’s.',
  args: {
    invoice: of(CreateInvoice, 'The invoice.'),
    invoiceLineItems: of([InvoiceLineItemInput], 'The lines, 1 to 500.'),
  },
  input: createInvoiceInput,
  command: createInvoice,
});

mutation('updateInvoice', {
  returns: [Invoice, 'The changed invoice.'],
  description:
    'Changes a draft invoice. New lines replace all lines, and the amounts are recomputed. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is no longer a draft, and for a field that cannot change.',
  args: {
    id: id('The id of the invoice.'),
    invoice: nullable.of(UpdateInvoice, 'The changes.'),
    invoiceLineItems: nullable.of(
      [InvoiceLineItemInput],
      'The new lines, 1 to 500; unchanged when absent.',
    ),
    expectedVersion,
  },
  input: updateInvoiceInput,
  command: updateInvoice,
});

mutation('finalizeInvoice', {
  returns: [Invoice, 'The finalized invoice.'],
  description:
    'Finalizes a draft, so that it can be paid and no longer changes. Errors: NOT_FOUND; BAD_REQUEST.',
  args: { id: id('The id of the invoice.') },
  input: invoiceIdInput,
  command: finalizeInvoice,
});

mutation('voidInvoice', {
  returns: [Invoice, 'The void invoice.'],
  description: 'Voids an unpaid invoice; its number remains taken. Errors: NOT_FOUND; BAD_REQUEST.',
  args: { id: id('The id of the invoice.') },
  input: invoiceIdInput,
  command: voidInvoice,
});

mutation('markInvoiceUncollectible', {
  returns: [Invoice, 'The uncollectible invoice.'],
  description: 'Marks an open invoice as uncollectible. Errors: NOT_FOUND; BAD_REQUEST.',
  args: { id: id('The id of the invoice.') },
  input: invoiceIdInput,
  command: markInvoiceUncollectible,
});

mutation('payInvoice', {
  returns: [Invoice, 'The invoice after the attempt.'],
  extensions: { inSteps: true },
  description:
    'Charges the outstanding amount of an open invoice now. The invoice and its payments show the outcome. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is not open, and without a payment method.',
  args: {
    id: id('The id of the invoice.'),
    paymentMethodId: nullable.id(
      'The payment method to charge; the customer’s default when absent.',
    ),
  },
  input: payInvoiceInput,
  command: payInvoice,
});

mutation('payInvoices', {
  returns: PayInvoicesPayload,
  extensions: { inSteps: true },
  description:
    'Charges the outstanding amounts of open invoices of one customer now, with one charge of the whole amounts. All payments of the charge succeed or fail together: no invoice is charged in part. The payment of the oldest invoice is the first, and states the amount of the charge. An invoice with nothing due is paid without a charge. Errors: BAD_REQUEST with the place of an invoice that is unknown, not open, named twice or being replaced by an adjustment. BAD_REQUEST also for one of another customer or currency than the others. BAD_REQUEST for a part that the processor could not refund alone, and without a payment method. Then nothing is charged.',
  args: {
    ids: of(
      ['ID'],
      'The ids of the invoices, 1 to 100, of one customer and currency. Their order decides only that of the answer.',
    ),
    paymentMethodId: nullable.id(
      'The payment method to charge, of the same customer; the customer’s default when absent.',
    ),
  },
  input: payInvoicesInput,
  command: payInvoices,
});
