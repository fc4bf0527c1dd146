import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import {
  type ExplainedInvoice,
  type ExplainedLine,
  explainInvoice,
} from '#domain/invoices/explain-invoice.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { builder } from './builder.ts';

const ExplainedInvoiceLine = builder.objectRef<ExplainedLine>('ExplainedInvoiceLine').implement({
  description: 'One line of an invoice, with how it comes to its amount.',
  fields: (t) => ({
    lineItem: t.expose('lineItem', { type: InvoiceLineItem, description: 'The line.' }),
    amount: t.expose('amount', { type: 'SafeInt', description: 'Minor units.' }),
    steps: t.exposeStringList('steps', {
      description: 'The arithmetic, step by step, in minor units.',
    }),
    sources: t.exposeStringList('sources', {
      description: 'The ids of the records that it comes from.',
    }),
  }),
});

const ExplainedInvoicePayload = builder.objectRef<ExplainedInvoice>('ExplainedInvoice').implement({
  description: 'How an invoice comes to what it says.',
  fields: (t) => ({
    invoice: t.expose('invoice', { type: Invoice, description: 'The invoice.' }),
    lines: t.field({
      type: [ExplainedInvoiceLine],
      description: 'Its lines, in their order.',
      resolve: ({ lines }) => lines,
    }),
    steps: t.exposeStringList('steps', {
      description: 'The sum, the tax, the total and the payments, step by step.',
    }),
    paid: t.expose('paid', {
      type: 'SafeInt',
      description: 'What has been paid and has not gone back, in minor units.',
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether the same arithmetic, done again now, comes to what the invoice says.',
    }),
    differences: t.exposeStringList('differences', { description: 'Where it does not.' }),
  }),
});

builder.queryField('explainInvoice', (t) =>
  t.field({
    type: ExplainedInvoicePayload,
    description:
      'How an invoice comes to what it says: worked out anew and compared. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    resolve: (_root, { id }, session) => explainInvoice(session, id),
  }),
);
