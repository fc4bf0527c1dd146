import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex, sortIndex } from '#domain/kernel/lists/list-indexes.ts';
import { collectionMethods } from '#domain/model/platform/collection-methods.ts';
import { Customer } from '#domain/model/platform/customer.ts';

const ConsolidatedInvoiceSchema = defineEntity({
  name: 'ConsolidatedInvoice',
  uniques: [
    { name: 'consolidated_invoice_number_unique', properties: ['customer', 'invoiceNumber'] },
  ],
  indexes: [
    pageIndex('consolidated_invoice'),
    {
      name: 'consolidated_invoice_customer',
      properties: ['customer', 'createdAt', 'position', 'id'],
    },
    {
      name: 'consolidated_invoice_date',
      properties: ['pricingModelId', 'invoiceDate', 'position', 'id'],
    },
    sortIndex('consolidated_invoice', 'consolidated_invoice_number', 'lower(invoice_number)'),
  ],
  properties: {
    ...tenantColumns('cons_inv'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** One number of the customer; its members have it with a suffix. */
    invoiceNumber: p.string(),
    invoiceDate: instant(),
    dueDate: instant(),
    /** ISO 4217, upper case. */
    currency: p.string().length(3),
    collectionMethod: p.enum(collectionMethods),
    /** The instant for which the billing runs of its members were scheduled. */
    scheduledFor: instant(),
  },
});

/**
 * One document for the invoices of several subscriptions of a customer that are billed at the same instant. The invoices
 * are its members: amounts and status follow from them, and the document stores neither.
 */
export class ConsolidatedInvoice extends ConsolidatedInvoiceSchema.class {
  get customerId(): Opt<string> {
    return this.customer.id;
  }
}
ConsolidatedInvoiceSchema.setClass(ConsolidatedInvoice);
