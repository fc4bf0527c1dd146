import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from './organization.ts';

export const revenueIntervals = ['day', 'week', 'month'] as const;
export type RevenueInterval = (typeof revenueIntervals)[number];

export interface RevenueTimeInput {
  readonly from: Date;
  readonly to: Date;
  readonly interval: RevenueInterval;
}

/** A time, divided into buckets. */
export interface RevenueTime {
  readonly interval: RevenueInterval;
  /** The start of each bucket and, last, the end of the last one, in milliseconds since 1970. */
  readonly starts: readonly number[];
}

/** The revenue of an interval, in one currency and in minor units. */
export interface RevenueBucket {
  readonly start: Date;
  /** The start of the next one. */
  readonly end: Date;
  readonly currency: string;
  readonly invoiced: number;
  readonly paid: number;
  readonly refunded: number;
}

const mostBuckets = 1_000;
const dayMilliseconds = 86_400_000;

/**
 * The revenue of the key's pricing model in each bucket and currency, including zeros. Errors: BAD_REQUEST for more
 * than 1,000 of them.
 */
export async function revenueBuckets(
  session: Session,
  { interval, starts }: RevenueTime,
): Promise<RevenueBucket[]> {
  const { em, organizationId } = session;
  const { currency } = await em.findOneOrFail(Organization, organizationId);
  const rows = await sumsOf(session, interval, starts);
  const currencies = [...new Set([currency, ...rows.map(({ currency }) => currency)])].toSorted();
  if ((starts.length - 1) * currencies.length > mostBuckets) throw tooMany();
  const known = new Map(rows.map((row) => [`${row.currency} ${row.start}`, row]));
  return starts.slice(0, -1).flatMap((start, index) =>
    currencies.map((currency) => {
      const row = known.get(`${currency} ${start}`);
      return {
        start: new Date(start),
        end: new Date(starts[index + 1] ?? start),
        currency,
        invoiced: Number(row?.invoiced ?? 0),
        paid: Number(row?.paid ?? 0),
        refunded: Number(row?.refunded ?? 0),
      };
    }),
  );
}

/**
 * The whole days, weeks (from Monday) or months of UTC that overlap the time from `from` until before `to`. Errors:
 * BAD_REQUEST for an empty time and for more than 1,000 buckets.
 */
export function revenueTime({ from, to, interval }: RevenueTimeInput): RevenueTime {
  if (from >= to) throw invalid('OUT_OF_RANGE', 'to', 'must be after from');
  const starts = [startOf(interval, from.getTime())];
  for (;;) {
    const last = starts.at(-1) ?? 0;
    if (last >= to.getTime()) return { interval, starts };
    if (starts.length > mostBuckets) throw tooMany();
    starts.push(nextOf(interval, last));
  }
}

function startOf(interval: RevenueInterval, at: number): number {
  const day = Math.floor(at / dayMilliseconds);
  if (interval === 'day') return day * dayMilliseconds;
  // 1 January 1970 was a Thursday.
  if (interval === 'week') return (Math.floor((day + 3) / 7) * 7 - 3) * dayMilliseconds;
  const date = new Date(at);
  return monthAt(date.getUTCFullYear(), date.getUTCMonth());
}

function nextOf(interval: RevenueInterval, start: number): number {
  if (interval === 'day') return start + dayMilliseconds;
  if (interval === 'week') return start + 7 * dayMilliseconds;
  const date = new Date(start);
  return monthAt(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** `Date.UTC` would take the years 0 to 99 for those from 1900. */
const monthAt = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1);

const tooMany = () =>
  invalid(
    'OUT_OF_RANGE',
    'interval',
    `results in more than ${mostBuckets} buckets: use a longer interval or a shorter time span`,
  );

interface Sums {
  readonly currency: string;
  readonly start: string;
  readonly invoiced: string;
  readonly paid: string;
  readonly refunded: string;
}

/** A bucket consists of whole days, which the primary key finds. */
function sumsOf(
  { em, pricingModelId }: Session,
  interval: RevenueInterval,
  starts: readonly number[],
) {
  const dayOf = (at: number | undefined) => Math.round((at ?? 0) / dayMilliseconds);
  return em.execute<Sums[]>(
    `select currency, (extract(epoch from date_trunc(?, day::timestamp)) * 1000)::bigint::text as start,
       sum(invoiced)::text as invoiced, sum(paid)::text as paid, sum(refunded)::text as refunded
     from revenue_day
     where pricing_model_id = ? and day >= date '1970-01-01' + ?::int and day < date '1970-01-01' + ?::int
     group by 1, 2`,
    [interval, pricingModelId, dayOf(starts[0]), dayOf(starts.at(-1))],
  );
}
