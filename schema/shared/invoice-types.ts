import { taxTypes } from '#domain/model/catalog/tax.ts';
import { invoicePurposes, invoiceStatuses, invoiceTypes } from '#domain/model/invoicing/invoice.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';

export const TaxType = builder.enumType('TaxType', {
  description: 'The kind of tax.',
  values: described(taxTypes, {
    amusement_tax: 'Amusement tax.',
    communications_tax: 'Communications tax.',
    gst: 'Goods and services tax.',
    hst: 'Harmonized sales tax.',
    igst: 'Integrated goods and services tax.',
    jct: 'Japanese consumption tax.',
    lease_tax: 'Lease tax.',
    pst: 'Provincial sales tax.',
    qst: 'Quebec sales tax.',
    rst: 'Retail sales tax.',
    sales_tax: 'Sales tax.',
    vat: 'Value-added tax.',
    none: 'No tax.',
  }),
});

export const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description: 'The status of an invoice.',
  values: described(invoiceStatuses, {
    draft: 'The invoice can be changed.',
    open: 'The invoice is final and payable.',
    paid: 'The invoice is paid in full.',
    uncollectible: 'The amount is written off.',
    void: 'The invoice is void and not payable.',
    refunded: 'All payments are refunded in full.',
    partially_refunded: 'A part of the payments is refunded.',
    awaiting_payment_confirmation: 'A payment is pending.',
  }),
});

export const InvoiceType = builder.enumType('InvoiceType', {
  description: 'The type of an invoice: the object that it bills.',
  values: described(invoiceTypes, {
    subscription: 'The invoice bills a subscription.',
    purchase: 'The invoice bills a purchase.',
    standalone: 'The invoice bills neither a subscription nor a purchase.',
  }),
});

export const InvoicePurpose = builder.enumType('InvoicePurpose', {
  description: 'The reason why an invoice exists.',
  values: described(invoicePurposes, {
    period: 'The invoice bills a billing period. A period has at most 1.',
    adjustment: 'The invoice bills an adjustment of a subscription.',
    last_usage: 'The invoice bills usage after the end of a subscription.',
    threshold: 'The invoice bills usage of a billing period that was running, at an agreed amount.',
    usage_correction:
      'The invoice shows overbilled usage that is credited or written off. Its total is 0.',
    manual: 'You created the invoice.',
  }),
});
