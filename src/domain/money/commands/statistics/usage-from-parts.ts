import { type BucketInterval, type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { HistoryFile } from '#domain/metering/history/history-file.ts';
import {
  filesOfSpan,
  type HoursOfFiles,
  hourlyUsage,
} from '#domain/metering/history/history-usage.ts';
import { readWithFiles } from '#domain/metering/history/read-with-files.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { foldedParts, type Grouping } from './usage-folding.ts';
import {
  fileEvents,
  keptParts,
  meterParts,
  openHours,
  pendingEvents,
  pendingSpans,
} from './usage-parts-sql.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

/** The aggregations whose hours can be combined. */
type PartType = 'sum' | 'count' | 'max' | 'last';

const one = 'meter, subscription_id, start';
const lastFirst = 'last_date desc, last_order_at desc, last_place desc, last_id desc';

/** How units of usage become that of a bucket and value, and how the values that are others are combined. */
const aggregations: Readonly<
  Record<PartType, { readonly parts: string; readonly folded: string }>
> = {
  sum: {
    parts: `select meter, start, value, sum(amount) as usage, sum(events) as events from units group by 1, 2, 3
      having sum(events) <> 0`,
    folded: 'select * from kept',
  },
  count: {
    parts: `select meter, start, value, sum(events) as usage, sum(events) as events from units group by 1, 2, 3
      having sum(events) <> 0`,
    folded: 'select * from kept',
  },
  max: {
    parts: `select ${one}, value, max(largest) as usage, sum(events) as events from units group by 1, 2, 3, 4`,
    folded: `select ${one}, of_value, is_others, max(usage) as usage, sum(events) as events from kept group by 1, 2, 3, 4, 5`,
  },
  last: {
    parts: `select distinct on (${one}, value) meter, subscription_id, start, value, last_amount as usage, last_date,
        last_order_at, last_place, last_id, sum(events) over (partition by ${one}, value) as events
      from units order by ${one}, value, ${lastFirst}`,
    folded: `select distinct on (${one}, is_others, of_value) meter, start, of_value, is_others, usage,
        sum(events) over (partition by ${one}, is_others, of_value) as events
      from kept order by ${one}, is_others, of_value, ${lastFirst}`,
  },
};

/** The start of the bucket of an hour. Weeks begin on Mondays; binning is faster, but months differ in length. */
const starts: Readonly<Record<BucketInterval, string>> = {
  hour: 'hour',
  day: `date_bin('1 day', hour, '1970-01-01 00:00Z')`,
  week: `date_bin('7 days', hour, '1970-01-05 00:00Z')`,
  month: `date_trunc('month', hour, 'UTC')`,
};

type PartScope = UsageScope & { readonly type: PartType };

const balances = `balances as materialized (
       select id, subscription_id, usage_meter_id from usage_meter_balance
       where pricing_model_id = $1 and usage_meter_id = any($2::text[])
         and ($7::text is null or subscription_id = $7) and ($8::text is null or customer_id = $8)
     )`;

/**
 * The usage of meters of one type from the parts of hours, and from the events of hours without valid parts, also those
 * in files. Sums of all subscriptions of a meter come from the sums of their parts. Errors: those of files.
 */
export const usageFromParts = (
  session: Session,
  scope: PartScope,
  buckets: Buckets,
  grouping: Grouping,
): Promise<UsageRow[]> =>
  readWithFiles(session, async (files) => {
    const { type } = scope;
    const isOfMeter = isOfMeters(scope);
    const { parts, folded } = aggregations[type];
    const old = await pendingOfFiles(session, files, scope, buckets, grouping);
    const { groupBy, most } = grouping;
    return statement<UsageRow>(
      session.em,
      undefined,
      `with ${balances}, ${openHours(isOfMeter)}, hourly as (
       ${isOfMeter ? meterParts : keptParts}
       union all ${pendingEvents}
       union all ${fileEvents}
     ), units as (select *, ${starts[buckets.interval]} as start from hourly
     ), parts as (${parts}
     ), ${foldedParts(folded)}`,
      [
        ...parametersOf(session, scope, buckets, {
          groupBy,
          most: groupBy === null ? scope.usageMeterIds.length : most,
        }),
        JSON.stringify(old),
      ],
    );
  });

const isOfMeters = ({ subscription, customer, type }: PartScope) =>
  subscription === null && customer === null && (type === 'sum' || type === 'count');

const parametersOf = (
  { pricingModelId }: Session,
  { usageMeterIds, subscription, customer }: PartScope,
  buckets: Pick<Buckets, 'starts'>,
  { groupBy, most }: Grouping,
) => [
  pricingModelId,
  usageMeterIds,
  ...rangeOf(buckets),
  most,
  groupBy ?? '',
  subscription,
  customer,
];

const hour = 3_600_000;
const hourOf = (at: number) => Math.floor(at / hour) * hour;

/** The largest number of time spans that are read from files. */
const mostSpans = 5_000;

/** The usage of those hours in files that have no valid parts, or too many values of the property. */
async function pendingOfFiles(
  session: Session,
  files: readonly HistoryFile[],
  scope: PartScope,
  buckets: Buckets,
  { groupBy }: Grouping,
) {
  const [from, to] = rangeOf(buckets);
  const read = filesOfSpan(files, from, to);
  if (read.length === 0) return [];
  // Hours after the files are open, too: those of the last hour of each subscription, for a start.
  const within = {
    starts: [
      Math.max(
        from.getTime(),
        Math.min(...read.map(({ firstUsageDate }) => hourOf(firstUsageDate))),
      ),
      Math.min(
        to.getTime(),
        Math.max(...read.map(({ lastUsageDate }) => hourOf(lastUsageDate) + hour)),
      ),
    ],
  };
  const hours = await statement<HoursOfFiles>(
    session.em,
    undefined,
    `with ${balances}, ${openHours(isOfMeters(scope))} ${pendingSpans}`,
    parametersOf(session, scope, within, { groupBy, most: mostSpans + 1 }),
  );
  if (hours.length > mostSpans) {
    throw invalid(
      'OUT_OF_RANGE',
      'from',
      'includes too much usage of the history that is not aggregated; name a subscription or a shorter time',
    );
  }
  return hourlyUsage(session, files, { ...scope, from, to }, hours, groupBy !== null);
}
