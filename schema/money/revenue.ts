import { bucketsOf } from '#domain/kernel/buckets.ts';
import {
  type RevenueBucket as Bucket,
  type RevenueTime,
  revenueBuckets,
  revenueIntervals,
} from '#domain/platform/commands/organizations/revenue-buckets.ts';
import {
  revenueTotals,
  type RevenueTotals as Totals,
} from '#domain/platform/commands/organizations/revenue-totals.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { int, safeInt, text, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';

const RevenueInterval = builder.enumType('RevenueInterval', {
  description: 'The length of a bucket, in UTC.',
  values: described(revenueIntervals, {
    day: 'A bucket is a day.',
    week: 'A bucket is a week from Monday.',
    month: 'A bucket is a calendar month.',
  }),
});

const RevenueBucket = object<Bucket>('RevenueBucket')({
  description: 'The revenue of a time span in one currency.',
  fields: () => ({
    start: time('The start of the bucket.'),
    end: time('The end of the bucket, exclusive.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    invoiced: safeInt(
      'The totals of invoices dated in the bucket, without drafts and void ones, in minor units.',
    ),
    paid: safeInt('The payments that succeeded in the bucket, in minor units.'),
    refunded: safeInt('The refunds in the bucket, in minor units.'),
  }),
});

export const RevenueTotals = object<Totals>('RevenueTotals')({
  description: 'The present revenue figures in one currency.',
  fields: () => ({
    currency: text('The currency, an ISO 4217 code in upper case.'),
    mrr: safeInt(
      'The monthly recurring revenue of active subscriptions, without tax, in minor units. A year counts as 12 months or 365 days. The exact sum is rounded once, half up.',
    ),
    activeSubscriptions: int(
      'The number of current, paid subscriptions, without free plans, trials and subscriptions that are never charged.',
    ),
    paid: safeInt('All payments to date, in minor units.'),
    refunded: safeInt('All refunds to date, in minor units.'),
    outstanding: safeInt('The outstanding amount of open invoices, in minor units.'),
  }),
});

const OrganizationRevenue = object<RevenueTime>('OrganizationRevenue')({
  description: 'The revenue of the API key’s pricing model.',
  fields: (t) => ({
    buckets: t.field({
      type: [RevenueBucket],
      description: 'The buckets by time and currency, including empty ones; at most 1,000.',
      resolve: (time, _args, session) => revenueBuckets(session, time),
    }),
    totals: t.field({
      type: [RevenueTotals],
      description:
        'The present totals, one for each currency, independent of the requested time span.',
      resolve: (_time, _args, session) => revenueTotals(session),
    }),
  }),
});

builder.queryField('organizationRevenue', (t) =>
  t.field({
    type: OrganizationRevenue,
    description:
      'The revenue of the API key’s pricing model. Errors: BAD_REQUEST for a time span that ends before it begins, and for more than 1,000 buckets.',
    args: {
      from: t.arg({
        type: 'Timestamp',
        required: true,
        description: 'The start of the time span; its bucket is included.',
      }),
      to: t.arg({
        type: 'Timestamp',
        required: true,
        description: 'The end of the time span, exclusive.',
      }),
      interval: t.arg({
        type: RevenueInterval,
        required: true,
        description: 'The length of a bucket.',
      }),
    },
    resolve: (_root, args) => bucketsOf(args),
  }),
);
