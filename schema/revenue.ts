import {
  type RevenueBucket as Bucket,
  type RevenueTime,
  revenueBuckets,
  revenueIntervals,
  revenueTime,
} from '#domain/organizations/revenue-buckets.ts';
import {
  revenueTotals,
  type RevenueTotals as Totals,
} from '#domain/organizations/revenue-totals.ts';
import { builder } from './engine/builder.ts';

const RevenueInterval = builder.enumType('RevenueInterval', {
  description: 'How long a bucket is, in UTC: a day, a week from Monday, or a month.',
  values: revenueIntervals,
});

const RevenueBucket = builder.objectRef<Bucket>('RevenueBucket').implement({
  description: 'What was earned in a stretch of time, in one currency.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Timestamp', description: 'When it begins.' }),
    end: t.expose('end', { type: 'Timestamp', description: 'When the next one begins.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, upper case.' }),
    invoiced: t.expose('invoiced', {
      type: 'SafeInt',
      description:
        'The totals of the invoices of these dates, without drafts and void ones, in minor units.',
    }),
    paid: t.expose('paid', {
      type: 'SafeInt',
      description: 'The payments that succeeded then, in minor units.',
    }),
    refunded: t.expose('refunded', {
      type: 'SafeInt',
      description: 'What went back then, in minor units.',
    }),
  }),
});

export const RevenueTotals = builder.objectRef<Totals>('RevenueTotals').implement({
  description: 'How business stands now, in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217, upper case.' }),
    mrr: t.expose('mrr', {
      type: 'SafeInt',
      description:
        'What the active subscriptions amount to in a month, without tax, in minor units: a year is 12 months or 365 days; their exact sum is rounded once, half up.',
    }),
    activeSubscriptions: t.exposeInt('activeSubscriptions', {
      description:
        'How many subscriptions are current and paid for: no free plans, none that are never charged, none on trial.',
    }),
    paid: t.expose('paid', {
      type: 'SafeInt',
      description: 'What has ever been paid, in minor units.',
    }),
    refunded: t.expose('refunded', {
      type: 'SafeInt',
      description: 'What of it has gone back, in minor units.',
    }),
    outstanding: t.expose('outstanding', {
      type: 'SafeInt',
      description: 'What is still to be paid for open invoices, in minor units.',
    }),
  }),
});

const OrganizationRevenue = builder.objectRef<RevenueTime>('OrganizationRevenue').implement({
  description: 'What the pricing model of the API key earns.',
  fields: (t) => ({
    buckets: t.field({
      type: [RevenueBucket],
      description: 'By time and currency, also where nothing was earned; at most 1,000.',
      resolve: (time, _args, session) => revenueBuckets(session, time),
    }),
    totals: t.field({
      type: [RevenueTotals],
      description: 'How it stands now, whatever time was asked for; one for each currency.',
      resolve: (_time, _args, session) => revenueTotals(session),
    }),
  }),
});

builder.queryField('organizationRevenue', (t) =>
  t.field({
    type: OrganizationRevenue,
    description:
      'What the pricing model of the API key has earned. Errors: BAD_REQUEST for a time that ends before it begins, and for more than 1,000 buckets.',
    args: {
      from: t.arg({ type: 'Timestamp', required: true, description: 'From the bucket of this.' }),
      to: t.arg({ type: 'Timestamp', required: true, description: 'Until before this.' }),
      interval: t.arg({
        type: RevenueInterval,
        required: true,
        description: 'How long a bucket is.',
      }),
    },
    resolve: (_root, args) => revenueTime(args),
  }),
);
