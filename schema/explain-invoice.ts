import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import {
  type ExplainedInvoice,
  type ExplainedLine,
  explainInvoice,
} from '#domain/invoices/explain-invoice.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { EventsDigest, UsagePart } from '#domain/usage-balances/usage-breakdown.ts';
import { builder } from './engine/builder.ts';

const UsageEventsDigest = builder.objectRef<EventsDigest>('UsageEventsDigest').implement({
  description: 'Which usage events belong together, so that whoever has them can check it.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many there are.' }),
    firstId: t.exposeID('firstId', { nullable: true, description: 'The first of them.' }),
    lastId: t.exposeID('lastId', { nullable: true, description: 'The last of them.' }),
    sum: t.expose('sum', { type: 'Decimal', description: 'Their amounts together.' }),
    sha256: t.exposeString('sha256', {
      description:
        'SHA-256, in hex, of a line for each: its id, a space, its amount and a line feed; by creation, ties by id.',
    }),
  }),
});

const ExplainedUsageOfPeriod = builder.objectRef<UsagePart>('ExplainedUsage').implement({
  description: 'What one billing period has to do with a usage line, as it was when it was billed.',
  fields: (t) => ({
    billingPeriodId: t.exposeID('billingPeriodId', { description: 'The billing period.' }),
    isCorrection: t.exposeBoolean('isCorrection', {
      description: 'Whether the line makes up here for what an earlier one billed.',
    }),
    used: t.expose('used', { type: 'Decimal', description: 'What was used at this price.' }),
    covered: t.expose('covered', {
      type: 'Decimal',
      description: 'What of it credits covered; 0 for a correction.',
    }),
    billed: t.expose('billed', {
      type: 'Decimal',
      description: 'What of it the line bills; below 0 for what it gives back.',
    }),
    events: t.expose('events', {
      type: UsageEventsDigest,
      description:
        'The events that counted then; for a correction those that were taken back since the line before.',
    }),
  }),
});

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
    usage: t.field({
      type: [ExplainedUsageOfPeriod],
      description: 'For usage: how its quantity comes about, period by period; else nothing.',
      resolve: ({ usage }) => [...usage],
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
