import { bucketIntervals } from '#domain/kernel/buckets.ts';
import { statisticIntervals } from '#domain/money/commands/statistics/statistic-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';

const whole = {
  day: 'A bucket is a day.',
  week: 'A bucket is a week from Monday.',
  month: 'A bucket is a calendar month.',
};

const StatisticInterval = builder.enumType('StatisticInterval', {
  description: 'The length of a bucket of a statistic, in UTC.',
  values: described(statisticIntervals, whole),
});

const UsageInterval = builder.enumType('UsageInterval', {
  description: 'The length of a bucket of usage, in UTC.',
  values: described(bucketIntervals, { hour: 'A bucket is an hour.', ...whole }),
});

const time = builder.args((t) => ({
  from: t.field({
    type: 'Timestamp',
    required: true,
    description: 'The start of the time span; its bucket is included.',
  }),
  to: t.field({
    type: 'Timestamp',
    required: true,
    description: 'The end of the time span, exclusive.',
  }),
}));

/** The time span of a statistic, in days, weeks or months. */
export const statisticArgs = {
  ...time,
  ...builder.args((t) => ({
    interval: t.field({
      type: StatisticInterval,
      required: true,
      description: 'The length of a bucket; at most 1,000 buckets.',
    }),
  })),
};

/** The time span of usage, in hours, days, weeks or months. */
export const usageTimeArgs = {
  ...time,
  ...builder.args((t) => ({
    interval: t.field({
      type: UsageInterval,
      required: true,
      description: 'The length of a bucket; at most 1,000 buckets.',
    }),
  })),
};
