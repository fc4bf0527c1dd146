import {
  type BucketInterval,
  type Buckets,
  mostBuckets,
  tooManyBuckets,
} from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/model/platform/organization.ts';

/** Buckets of revenue consist of whole days. */
export const revenueIntervals = ['day', 'week', 'month'] as const satisfies BucketInterval[];
type RevenueInterval = (typeof revenueIntervals)[number];

/** A time, divided into buckets. */
export type RevenueTime = Buckets<RevenueInterval>;

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
  if ((starts.length - 1) * currencies.length > mostBuckets) throw tooManyBuckets();
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
