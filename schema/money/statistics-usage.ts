import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { liveUsage } from '#domain/money/commands/statistics/live-statistics.ts';
import {
  type UsagePoint as Point,
  type UsageSeries as Series,
  usageOverTime,
} from '#domain/money/commands/statistics/usage-over-time.ts';
import { builder } from '../engine/builder.ts';
import { decimal, flag, int, nullable, of, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { usageTimeArgs } from './statistics.ts';

const UsagePoint = object<Point>('UsagePoint')({
  description: 'The usage of a bucket.',
  fields: () => ({
    start: time('The start of the bucket.'),
    end: time('The end of the bucket, exclusive.'),
    usage: decimal(
      'The usage, aggregated as the meter defines from the events of the bucket that count. Several subscriptions are added up; 0 without events.',
    ),
    events: int('The number of events that count, without voided and replaced ones.'),
  }),
});

const UsageSeries = object<Series>('UsageSeries')({
  description: 'The usage of a meter over time, of one value of a property if it is grouped.',
  fields: (t) => ({
    usageMeter: t.field({
      type: UsageMeter,
      description: 'The usage meter.',
      resolve: ({ usageMeterId }, _args, { em }) =>
        em.getReference(UsageMeter, usageMeterId, { wrapped: true }).loadOrFail(),
    }),
    value: nullable.text(
      'The value of the property as text. Null for events without it, for the others, and without groupBy.',
    ),
    isOthers: flag('Whether it is the sum of the remaining values beyond `groups`.'),
    points: of([UsagePoint], 'The usage of each bucket, including empty ones; at most 1,000.'),
  }),
});

const args = {
  ...builder.args((t) => ({
    subscription: t.id({ description: 'The id of the subscription whose usage is shown.' }),
    customer: t.id({ description: 'The id of the customer whose usage is shown.' }),
    usageMeter: t.id({ description: 'The id of the usage meter; all meters when absent.' }),
    groupBy: t.string({
      description:
        'The name of a property, of at most 200 bytes; each of its values has a series of its own.',
    }),
    groups: t.int({
      description:
        'The largest number of values, at most 100; 20 when absent. Those with the most events come first.',
    }),
  })),
  ...usageTimeArgs,
};

builder.queryField('usageOverTime', (t) =>
  t.field({
    type: [UsageSeries],
    description:
      'The usage of a subscription, a customer or a usage meter over time, exact with corrections. Errors: NOT_FOUND; BAD_REQUEST without any of them, for an invalid time span, and for more than 1,000 buckets or 100 meters.',
    args,
    resolve: (_root, args, session) => usageOverTime(session, args),
  }),
);

builder.subscriptionField('usageOverTimeChanged', (t) =>
  t.field({
    type: [UsageSeries],
    description:
      'Emits the usage over time immediately and when it differs. It emits at most once a second, or once in 5 seconds for meters that count distinct properties. Errors: as usageOverTime.',
    args,
    subscribe: (_root, args, session) => liveUsage(session, args),
    resolve: (series) => series,
  }),
);
