import {
  type ExplainedInvoice,
  type ExplainedLine,
  explainInvoice,
} from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { EventsDigest, UsagePart } from '#domain/model/invoicing/usage-breakdown.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { taxesField } from '../catalog/taxes.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { decimal, flag, id, int, nullable, of, safeInt } from '../engine/fields.ts';
import { optionalReference, withOptionalId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';

const UsageEventsDigest = object<EventsDigest>('UsageEventsDigest')({
  description: 'A digest of a set of usage events, for comparison with your own records.',
  fields: () => ({
    count: int('The number of events.'),
    ...withOptionalId('first', UsageEvent, 'The first event.'),
    ...withOptionalId('last', UsageEvent, 'The last event.'),
    sum: decimal('The sum of the amounts.'),
    sha256: nullable.text(
      'The SHA-256 digest, in hex, of one line per event. A line consists of the id, a space, the amount and a line feed. Lines are ordered by creation time, then by id. Null if the invoice line stores the other digest, and its events are archived or have changed.',
    ),
    sumOfSha256: nullable.text(
      'The sum modulo 2^256, in hex, of the SHA-256 digests of all events, as big-endian numbers. The text of an event consists of the id, a space and the amount. Null if the invoice line stores the other digest, and its events are archived or have changed.',
    ),
  }),
});

const ExplainedUsageOfPeriod = object<UsagePart>('ExplainedUsage')({
  description: 'The share of one billing period in a usage line, at the time of billing.',
  fields: (t) => ({
    billingPeriodId: id('The billing period; empty for usage before the first one.'),
    billingPeriod: optionalReference(
      BillingPeriod,
      'billingPeriodId',
      'The billing period; null for usage before the first one.',
    ),
    isCorrection: flag('Whether the line corrects usage that an earlier line billed.'),
    used: decimal('The usage at this price.'),
    covered: decimal('The usage covered by credits; 0 for a correction.'),
    billed: decimal('The quantity that the line bills; negative for a credit.'),
    amount: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The amount for it, in minor units: the cost of all usage of the period less what was billed before. Null for lines of earlier versions.',
      resolve: ({ cost }) => cost?.amount ?? null,
    }),
    events: of(
      UsageEventsDigest,
      'The events that counted then. For a correction, the events that were voided or replaced since the previous line.',
    ),
  }),
});

const ExplainedInvoiceLine = object<ExplainedLine>('ExplainedInvoiceLine')({
  description: 'One invoice line with the computation of its amount.',
  fields: (t) => ({
    lineItem: of(InvoiceLineItem, 'The line.'),
    amount: safeInt('The amount, in minor units.'),
    steps: of(['String'], 'The computation, step by step, with amounts in the currency.'),
    sources: of(['String'], 'The ids of the source records.'),
    usage: t.field({
      type: [ExplainedUsageOfPeriod],
      description: `For a usage line, the computation of its quantity by billing period, ${atMostBelow}; otherwise empty.`,
      resolve: ({ usage }) => upToMost(usage),
    }),
  }),
});

const ExplainedInvoicePayload = object<ExplainedInvoice>('ExplainedInvoice')({
  description: 'An invoice with the computation of its amounts.',
  fields: (t) => ({
    invoice: of(Invoice, 'The invoice.'),
    lines: t.field({
      type: [ExplainedInvoiceLine],
      description: `The first lines of the invoice, in order; ${atMostBelow}.`,
      resolve: ({ lines }) => upToMost(lines),
    }),
    taxes: t.field({ ...taxesField, resolve: ({ invoice }) => [...invoice.taxes] }),
    steps: of(['String'], 'The sum, the tax, the total and the payments, step by step.'),
    paid: safeInt('The amount paid and not refunded, in minor units.'),
    verified: flag('Whether the recomputed amounts equal those of the invoice.'),
    differences: of(['String'], 'The differences between the recomputed amounts and the invoice.'),
  }),
});

builder.queryField('explainInvoice', (t) =>
  t.field({
    type: ExplainedInvoicePayload,
    description:
      'Recomputes an invoice, explains each amount and compares the results. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    resolve: (_root, { id }, session) => explainInvoice(session, id),
  }),
);
