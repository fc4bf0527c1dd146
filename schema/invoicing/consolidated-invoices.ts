import {
  amountsOf,
  type DocumentAmounts,
  membersOf,
  statusOf,
} from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { listBelow } from '../engine/below.ts';
import { of, text, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byText, byTime } from '../engine/where.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { InvoiceStatus } from '../shared/invoice-types.ts';

/** A field with one amount of a document. */
const amount = (name: keyof DocumentAmounts, description: string) =>
  ({
    type: 'SafeInt',
    description: `${description}, in minor units.`,
    resolve: async (document: ConsolidatedInvoice, _args: object, session: Session) =>
      (await amountsOf(session, document))[name],
  }) as const;

record(ConsolidatedInvoice, {
  description:
    'One document for the invoices of several subscriptions of a customer that are billed at the same instant. Its amounts are the sums of the invoices that are not void, and change with them.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer that pays.'),
    invoiceNumber: text(
      'The number. Its invoices have it with `-1`, `-2` and so on; a customer’s numbers have no gaps.',
    ),
    invoiceDate: time('The invoice date.'),
    dueDate: time('The due date, also of its invoices.'),
    scheduledFor: time('The instant for which the billing runs of its invoices were scheduled.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    collectionMethod: of(CollectionMethod, 'How it is collected.'),
    status: t.field({
      type: InvoiceStatus,
      description:
        'The status by those of its invoices that are not void: open while one is to be paid, void when all are.',
      resolve: (document, _args, session) => statusOf(session, document),
    }),
    subtotal: t.field(amount('subtotal', 'The sum of the line items')),
    taxAmount: t.field(amount('taxAmount', 'The tax')),
    total: t.field(amount('total', 'The amount to pay')),
    creditApplied: t.field(
      amount('creditApplied', 'The part of the total paid from the customer’s credit balance'),
    ),
    amountCredited: t.field(amount('amountCredited', 'The sum of the credit notes')),
    amountPaid: t.field(amount('amountPaid', 'The amount paid and not refunded')),
    amountDue: t.field(amount('amountDue', 'The amount that is still to be paid')),
    pdfURL: t.string({
      description: 'A signed link to the document as PDF, valid for at least 24 hours.',
      resolve: (document, _args, context) => context.documentLink(document, 'invoice'),
    }),
    receiptPdfURL: t.string({
      nullable: true,
      description:
        'A signed link to the receipt as PDF, valid for at least 24 hours; null until an invoice is paid.',
      resolve: async (document, _args, context) =>
        (await membersOf(context, document)).some(({ hasReceipt }) => hasReceipt)
          ? context.documentLink(document, 'receipt')
          : null,
    }),
    invoices: listBelow(t, Invoice, {
      by: 'consolidatedInvoice',
      description: 'Its invoices, one for each subscription.',
    }),
  }),
});

readable({
  one: 'consolidatedInvoice',
  many: 'consolidatedInvoices',
  noun: 'consolidated invoice',
  entity: ConsolidatedInvoice,
  where: {
    customer: byId('customer', 'The customer.'),
    invoiceNumber: byText('invoiceNumber', 'The number.'),
    invoiceDate: byTime('invoiceDate', 'The invoice date.'),
    dueDate: byTime('dueDate', 'The due date.'),
    currency: byText('currency', 'The currency, in upper case.'),
    collectionMethod: byEnum(CollectionMethod, 'collectionMethod', 'How it is collected.'),
  },
  orders: {
    invoice_date: { property: 'invoiceDate', kind: 'time', words: 'invoice date' },
    invoice_number: { property: 'invoiceNumber', kind: 'text', words: 'number' },
  },
});
