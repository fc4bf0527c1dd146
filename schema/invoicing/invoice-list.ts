import { overdueAt } from '#domain/invoicing/commands/invoices/overdue.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEnum, byId, byText, byTime, custom } from '../engine/where.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { InvoicePurpose, InvoiceStatus, InvoiceType } from '../shared/invoice-types.ts';

readable({
  one: 'invoice',
  many: 'invoices',
  noun: 'invoice',
  entity: Invoice,
  search: {
    table: 'invoice',
    description: 'A part of the invoice number, in any case.',
  },
  where: {
    customer: byId('customer', 'The customer.'),
    subscription: byId('subscription', 'The subscription that the invoice bills.'),
    billingPeriod: byId('billingPeriod', 'The billing period that the invoice bills.'),
    consolidatedInvoice: byId('consolidatedInvoice', 'The consolidated invoice that has it.'),
    status: byEnum(InvoiceStatus, 'status', 'The status.'),
    type: byEnum(InvoiceType, 'type', 'The type.'),
    collectionMethod: byEnum(CollectionMethod, 'collectionMethod', 'How it is collected.'),
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
    total: { property: 'total', kind: 'integer', inCurrency: true, words: 'total' },
    invoice_number: { property: 'invoiceNumber', kind: 'text', words: 'invoice number' },
  },
});
