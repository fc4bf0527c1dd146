import { liveCounts } from '#domain/money/commands/statistics/live-statistics.ts';
import {
  type StatusCount as Count,
  type SubscriptionCounts as Counts,
  type SubscriptionCountsPoint as Point,
  subscriptionCounts,
} from '#domain/money/commands/statistics/subscription-counts.ts';
import { builder } from '../engine/builder.ts';
import { int, of, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { SubscriptionStatus } from '../shared/subscription-status.ts';
import { statisticArgs } from './statistics.ts';

const StatusCount = object<Count>('StatusCount')({
  description: 'The number of subscriptions of a status.',
  fields: () => ({
    status: of(SubscriptionStatus, 'The status.'),
    count: int('The number of subscriptions.'),
  }),
});

const SubscriptionCountsPoint = object<Point>('SubscriptionCountsPoint')({
  description: 'The numbers of subscriptions at the end of a bucket.',
  fields: () => ({
    start: time('The start of the bucket.'),
    end: time('The end of the bucket, exclusive.'),
    counts: of(
      [StatusCount],
      'The number of each status, including zeros. A bucket that has not ended has the present numbers.',
    ),
  }),
});

const SubscriptionCounts = object<Counts>('SubscriptionCounts')({
  description: 'The numbers of subscriptions by status, now and over time.',
  fields: () => ({
    present: of([StatusCount], 'The present number of each status, including zeros.'),
    points: of([SubscriptionCountsPoint], 'The numbers at the end of each bucket; at most 1,000.'),
  }),
});

builder.queryField('subscriptionCounts', (t) =>
  t.field({
    type: SubscriptionCounts,
    description:
      'The numbers of subscriptions by status, now and over time. Errors: BAD_REQUEST for an invalid time span and for more than 1,000 buckets.',
    args: statisticArgs,
    resolve: (_root, args, session) => subscriptionCounts(session, args),
  }),
);

builder.subscriptionField('subscriptionCountsChanged', (t) =>
  t.field({
    type: SubscriptionCounts,
    description:
      'Emits the numbers of subscriptions immediately and when they differ, at most once a second. Errors: as subscriptionCounts.',
    args: statisticArgs,
    subscribe: (_root, args, session) => liveCounts(session, args),
    resolve: (counts) => counts,
  }),
);
