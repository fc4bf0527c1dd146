import { liveRecovery } from '#domain/money/commands/statistics/live-statistics.ts';
import {
  type PaymentRecoveryPoint as Point,
  paymentRecovery,
  type Recovered,
  type PaymentRecoverySeries as Series,
} from '#domain/money/commands/statistics/payment-recovery.ts';
import { builder } from '../engine/builder.ts';
import { int, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { statisticArgs } from './statistics.ts';

const InvoiceSum = object<Recovered>('InvoiceSum')({
  description: 'A number of invoices and the amount of their first failed payments.',
  fields: () => ({
    count: int('The number of invoices.'),
    amount: safeInt('The amount of their first failed payments, in minor units.'),
  }),
});

const PaymentRecoveryPoint = object<Point>('PaymentRecoveryPoint')({
  description: 'The invoices whose first failed payment was charged in a bucket.',
  fields: () => ({
    start: time('The start of the bucket.'),
    end: time('The end of the bucket, exclusive.'),
    failed: of(InvoiceSum, 'All of them.'),
    recovered: of(InvoiceSum, 'Those that have been paid since.'),
    open: of(InvoiceSum, 'Those that are still to be paid.'),
    lost: of(InvoiceSum, 'Those that are void or uncollectible.'),
    recoveryRate: nullable.decimal(
      'The recovered amount divided by the failed amount; null without failures.',
    ),
  }),
});

const PaymentRecoverySeries = object<Series>('PaymentRecoverySeries')({
  description: 'The recovery of failed payments over time in one currency.',
  fields: () => ({
    currency: text('The currency, an ISO 4217 code in upper case.'),
    points: of(
      [PaymentRecoveryPoint],
      'The invoices of each bucket, including empty ones; at most 1,000.',
    ),
  }),
});

builder.queryField('paymentRecovery', (t) =>
  t.field({
    type: [PaymentRecoverySeries],
    description:
      'The recovery of failed payments over time, for each currency. Errors: BAD_REQUEST for an invalid time span and for more than 1,000 buckets.',
    args: statisticArgs,
    resolve: (_root, args, session) => paymentRecovery(session, args),
  }),
);

builder.subscriptionField('paymentRecoveryChanged', (t) =>
  t.field({
    type: [PaymentRecoverySeries],
    description:
      'Emits the recovery of failed payments immediately and when it differs, at most once a second. Errors: as paymentRecovery.',
    args: statisticArgs,
    subscribe: (_root, args, session) => liveRecovery(session, args),
    resolve: (series) => series,
  }),
);
