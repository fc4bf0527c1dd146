import { liveRecovery } from '#domain/money/commands/statistics/live-statistics.ts';
import {
  type PaymentRecoveryPoint as Point,
  paymentRecovery,
  type Recovered,
  type PaymentRecoverySeries as Series,
} from '#domain/money/commands/statistics/payment-recovery.ts';
import { builder } from '../engine/builder.ts';
import { statisticArgs } from './statistics.ts';

const InvoiceSum = builder.objectRef<Recovered>('InvoiceSum').implement({
  description: 'A number of invoices and the amount of their first failed payments.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'The number of invoices.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount of their first failed payments, in minor units.',
    }),
  }),
});

const PaymentRecoveryPoint = builder.objectRef<Point>('PaymentRecoveryPoint').implement({
  description: 'The invoices whose first failed payment was charged in a bucket.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Timestamp', description: 'The start of the bucket.' }),
    end: t.expose('end', { type: 'Timestamp', description: 'The end of the bucket, exclusive.' }),
    failed: t.expose('failed', { type: InvoiceSum, description: 'All of them.' }),
    recovered: t.expose('recovered', {
      type: InvoiceSum,
      description: 'Those that have been paid since.',
    }),
    open: t.expose('open', { type: InvoiceSum, description: 'Those that are still to be paid.' }),
    lost: t.expose('lost', {
      type: InvoiceSum,
      description: 'Those that are void or uncollectible.',
    }),
    recoveryRate: t.expose('recoveryRate', {
      type: 'Decimal',
      nullable: true,
      description: 'The recovered amount divided by the failed amount; null without failures.',
    }),
  }),
});

const PaymentRecoverySeries = builder.objectRef<Series>('PaymentRecoverySeries').implement({
  description: 'The recovery of failed payments over time in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    points: t.expose('points', {
      type: [PaymentRecoveryPoint],
      description: 'The invoices of each bucket, including empty ones; at most 1,000.',
    }),
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
