import {
  CreditNote,
  creditNoteReasons,
  creditNoteSettlements,
  creditNoteStatuses,
} from '#domain/model/invoicing/credit-note.ts';
import { CreditNoteLine } from '#domain/model/invoicing/credit-note-line.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { taxesField } from '../catalog/taxes.ts';
import { atMostBelow, linesBelow, listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { object, record } from '../engine/types.ts';
import { byAmount, byEnum, byId, byText, byTime } from '../engine/where.ts';
import { TaxType } from '../shared/invoice-types.ts';

const CreditNoteReason = builder.enumType('CreditNoteReason', {
  description: 'The reason of a credit note.',
  values: described(creditNoteReasons, {
    duplicate: 'The invoice or payment was a duplicate.',
    fraudulent: 'The purchase was fraudulent.',
    order_change: 'The order changed.',
    product_unsatisfactory: 'The customer was not satisfied.',
    requested_by_customer: 'The customer asked for it.',
    uncollectible: 'The amount cannot be collected.',
    other: 'Another reason.',
    refund: 'A payment was refunded.',
    usage_corrected: 'Billed usage was voided or replaced.',
    plan_changed: 'The plan changed within a paid period.',
    period_cut_short:
      'The subscription ended within a period that was paid or is to be paid, and its unused part is returned.',
    dispute_lost: 'The customer’s bank returned a payment.',
  }),
});

const CreditNoteSettlement = builder.enumType('CreditNoteSettlement', {
  description: 'How a credit note is settled.',
  values: described(creditNoteSettlements, {
    refund: 'Payments are refunded.',
    credit: 'The customer’s credit balance gets the amount.',
    write_off: 'The amount was due and is not to be paid any more.',
    set_off: 'A later invoice is smaller by the amount.',
  }),
});

const CreditNoteStatus = builder.enumType('CreditNoteStatus', {
  description: 'The status of a credit note.',
  values: described(creditNoteStatuses, {
    pending: 'A refund is in progress.',
    settled: 'The customer has the amount.',
    failed: 'The refund failed; the credit note is without effect.',
  }),
});

const Line = object<CreditNoteLine>('CreditNoteLine')({
  description: 'One line of a credit note.',
  fields: () => ({
    invoiceLineItemId: nullable.id(
      'The line of the invoice; null for a share of the whole invoice.',
    ),
    invoiceLineItem: optionalReference(
      InvoiceLineItem,
      'invoiceLineItemId',
      'The line of the invoice.',
    ),
    description: text('The description.'),
    quantity: nullable.float('The credited quantity; null where an amount is credited.'),
    amount: safeInt('The amount, in minor units; with tax only if the invoice’s lines include it.'),
    taxAmount: safeInt('The share of the tax, in minor units.'),
  }),
});

record(CreditNote, {
  description:
    'A numbered document that reduces a finalized invoice. It is never changed or voided.',
  fields: (t) => ({
    ...withId('invoice', Invoice, 'The invoice.'),
    ...withId('customer', Customer, 'The customer of the invoice.'),
    creditNoteNumber: text('The number; a customer’s numbers have no gaps.'),
    issuedAt: time('The date of the document.'),
    status: of(CreditNoteStatus, 'The status.'),
    settlement: of(CreditNoteSettlement, 'How the amount is settled.'),
    reason: of(CreditNoteReason, 'The reason.'),
    description: nullable.text('The reason in words.'),
    currency: text('The currency of the invoice.'),
    subtotal: safeInt('The sum of the lines, in minor units.'),
    taxAmount: safeInt('The tax, in minor units; added to the subtotal or included in it.'),
    taxInclusive: flag('Whether the lines include tax.'),
    taxes: t.field({ ...taxesField, resolve: ({ taxes }) => [...taxes] }),
    total: safeInt('The amount, in minor units.'),
    taxType: nullable.of(TaxType, 'The kind of tax.'),
    taxCountry: nullable.text('The country, an ISO 3166-1 code.'),
    taxState: nullable.text('The state, province or region.'),
    taxRatePercentage: nullable.text('The tax rate in percent.'),
    refundedAmount: safeInt('The part that was refunded.'),
    creditedAmount: safeInt('The part that the customer’s credit balance got.'),
    writtenOffAmount: safeInt('The part that is not to be paid any more.'),
    setOffAmount: safeInt('The part that a later invoice is smaller by.'),
    ...withOptionalId('setOffInvoice', Invoice, 'The later invoice that is smaller by a part.'),
    pdfURL: t.string({
      description: 'A signed link to the credit note as PDF, valid for at least 24 hours.',
      resolve: (note, _args, context) => context.documentLink(note, 'credit_note'),
    }),
    lines: t.field({
      type: [Line],
      description: `The first lines, in order; ${atMostBelow}. The PDF has them all.`,
      resolve: ({ id }, _args, session) => linesBelow(session, CreditNoteLine, 'creditNote', id),
    }),
    refunds: listBelow(t, Refund, {
      by: 'creditNote',
      description: 'The refunds that settle it.',
    }),
  }),
});

readable({
  one: 'creditNote',
  many: 'creditNotes',
  noun: 'credit note',
  entity: CreditNote,
  search: { table: 'credit_note', description: 'A part of the number, in any case.' },
  where: {
    invoice: byId('invoice', 'The invoice.'),
    customer: byId('customer', 'The customer.'),
    status: byEnum(CreditNoteStatus, 'status', 'The status.'),
    settlement: byEnum(CreditNoteSettlement, 'settlement', 'How it is settled.'),
    reason: byEnum(CreditNoteReason, 'reason', 'The reason.'),
    creditNoteNumber: byText('creditNoteNumber', 'The number.'),
    issuedAt: byTime('issuedAt', 'The date of the document.'),
    total: byAmount('total', 'The amount, in minor units.'),
    currency: byText('currency', 'The currency, in upper case.'),
  },
  orders: {
    issued_at: { property: 'issuedAt', kind: 'time', words: 'date of the document' },
    total: { property: 'total', kind: 'integer', inCurrency: true, words: 'total' },
    credit_note_number: { property: 'creditNoteNumber', kind: 'text', words: 'number' },
  },
});
