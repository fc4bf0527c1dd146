import { type BucketInterval, type Buckets, bucketsOf, spansOf } from '#domain/kernel/buckets.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { longestUsageText } from '#domain/model/metering/usage-part.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  countAcceptedUsage,
  countAcceptedUsageOfCustomers,
  countAllAcceptedUsage,
} from '#domain/recording/inbox/count-accepted-usage.ts';
import { mostGroups } from './others.ts';
import { usageFromEvents } from './usage-from-events.ts';
import { usageFromHours } from './usage-from-hours.ts';
import { usageFromParts } from './usage-from-parts.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

/** Counts the accepted usage that a graph shows. */
function countShownUsage(session: Session, { subscription, customer }: UsageInput) {
  if (subscription) return countAcceptedUsage(session, [subscription]);
  return customer
    ? countAcceptedUsageOfCustomers(session, [customer])
    : countAllAcceptedUsage(session);
}

/** The usage to show: of a subscription, a customer, or a usage meter, and of combinations of them. */
export interface UsageInput {
  readonly subscription?: string | null | undefined;
  readonly customer?: string | null | undefined;
  readonly usageMeter?: string | null | undefined;
  readonly from: Date;
  readonly to: Date;
  readonly interval: BucketInterval;
  /** The name of a property; each of its values has a series of its own. */
  readonly groupBy?: string | null | undefined;
  /** The largest number of values. */
  readonly groups?: number | null | undefined;
}

/** The usage of a bucket, an exact decimal, and the number of events that count. */
export interface UsagePoint {
  readonly start: Date;
  readonly end: Date;
  readonly usage: string;
  readonly events: number;
}

export interface UsageSeries {
  readonly usageMeterId: string;
  /** The value of the property as text; null without one, for the others and where nothing is grouped. */
  readonly value: string | null;
  /** Whether it is the rest beyond the values with the most events. */
  readonly isOthers: boolean;
  readonly points: readonly UsagePoint[];
}

const defaultGroups = 20;

/**
 * The usage in each bucket, one series for each usage meter and value. A bucket is aggregated like a billing period:
 * the events of one subscription as their meter defines, and several subscriptions are added up. Sums and counts come
 * from the hours that ingest keeps, values, `max` and `last` from the parts of hours, and distinct properties from events. Errors: NOT_FOUND; BAD_REQUEST without an object,
 * for an empty time span, and for more than 1,000 buckets or 100 meters.
 */
export async function usageOverTime(session: Session, asked: UsageInput): Promise<UsageSeries[]> {
  const input = seenBy(session, asked);
  await countShownUsage(session, input);
  const { groupBy = null, groups, usageMeter } = input;
  const buckets = bucketsOf(input);
  const meters = await metersOf(session, input);
  const scopeOf = (meters: readonly UsageMeter[]): UsageScope => ({
    usageMeterIds: meters.map(({ id }) => id),
    subscription: input.subscription ?? null,
    customer: input.customer ?? null,
  });
  const rows = await usageFromHours(
    session,
    scopeOf(meters.filter((meter) => isHourly(meter, groupBy))),
    buckets,
  );
  const grouping = { groupBy, most: groups ?? defaultGroups };
  const others = Map.groupBy(
    meters.filter((meter) => !isHourly(meter, groupBy)),
    ({ aggregationType }) => aggregationType,
  );
  for (const [type, meters] of others) {
    const scope = scopeOf(meters);
    rows.push(
      ...(type === 'count_distinct_properties'
        ? await usageFromEvents(session, scope, buckets, grouping)
        : await usageFromParts(session, { ...scope, type }, buckets, grouping)),
    );
  }
  return seriesOf(rows, buckets, usageMeter != null && groupBy === null ? usageMeter : undefined);
}

/** A customer token sees the usage of its customer only, also of a meter that all customers use. */
export const seenBy = ({ customerId }: Session, input: UsageInput): UsageInput =>
  customerId === undefined || (input.customer != null && input.customer !== customerId)
    ? input
    : { ...input, customer: customerId };

/** Whether the hours that ingest keeps suffice: a sum or a number of all events. */
const isHourly = ({ aggregationType: type }: UsageMeter, groupBy?: string | null) =>
  groupBy == null && (type === 'sum' || type === 'count');

/** The meters that have usage in the scope. Errors: NOT_FOUND; BAD_REQUEST. */
export async function metersOf(session: Session, input: UsageInput): Promise<UsageMeter[]> {
  const { em } = session;
  const { subscription, customer, usageMeter, groups, groupBy } = input;
  if (groupBy === '') throw invalid('REQUIRED', 'groupBy', 'must name a property');
  if (groupBy != null && Buffer.byteLength(groupBy) > longestUsageText) {
    throw invalid('TOO_LONG', 'groupBy', `must have at most ${longestUsageText} bytes`);
  }
  if (groups != null && (groups < 1 || groups > mostGroups)) {
    throw invalid('OUT_OF_RANGE', 'groups', `must be from 1 to ${mostGroups}`);
  }
  if (subscription != null) await em.findOneOrFail(Subscription, subscription);
  if (customer != null) await em.findOneOrFail(Customer, customer);
  if (usageMeter != null) return [await em.findOneOrFail(UsageMeter, usageMeter)];
  if (subscription == null && customer == null) {
    throw invalid(
      'REQUIRED',
      'subscription',
      'is required, unless there is a customer or a usageMeter',
    );
  }
  const balances = await em.find(UsageMeterBalance, {
    ...(subscription != null && { subscription }),
    ...(customer != null && { customerId: customer }),
  });
  const ids = [...new Set(balances.map(({ usageMeterId }) => usageMeterId))];
  if (ids.length > mostGroups) {
    throw invalid(
      'REQUIRED',
      'usageMeter',
      `is required, because there are more than ${mostGroups} meters`,
    );
  }
  return em.find(UsageMeter, { id: { $in: ids } }, { orderBy: { slug: 'asc' } });
}

/** The series with a point for each bucket. A meter that was asked for has one even without usage. */
function seriesOf(
  rows: readonly UsageRow[],
  buckets: Buckets,
  asked: string | undefined,
): UsageSeries[] {
  const keyOf = (row: UsageRow) => JSON.stringify([row.usageMeterId, row.isOthers, row.value]);
  const series = Map.groupBy(rows, keyOf);
  const spans = spansOf(buckets);
  const all = [...series.values()].map((own) => {
    const [{ usageMeterId, isOthers, value }] = own as [UsageRow];
    const known = new Map(own.map((row) => [row.start, row] as const));
    const points = spans.map(({ start, end }) => {
      const { usage, events } = known.get(String(start)) ?? { usage: '0', events: 0 };
      return { start: new Date(start), end: new Date(end), usage: textOf(usage), events };
    });
    return { usageMeterId, isOthers, value, points };
  });
  if (all.length > 0 || asked === undefined) return sorted(all);
  const empty = spans.map(({ start, end }) => ({
    start: new Date(start),
    end: new Date(end),
    usage: '0',
    events: 0,
  }));
  return [{ usageMeterId: asked, isOthers: false, value: null, points: empty }];
}

/** By meter; the values with the most events first, and the others last. */
function sorted(series: readonly UsageSeries[]): UsageSeries[] {
  const events = new Map(
    series.map((one) => [one, one.points.reduce((sum, { events }) => sum + events, 0)] as const),
  );
  return series.toSorted(
    (one, other) =>
      compare(one.usageMeterId, other.usageMeterId) ||
      Number(one.isOthers) - Number(other.isOthers) ||
      (events.get(other) ?? 0) - (events.get(one) ?? 0) ||
      Number(one.value === null) - Number(other.value === null) ||
      compare(one.value ?? '', other.value ?? ''),
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The shortest text of a decimal. */
const textOf = (usage: string): string => decimalText(unitsOf(usage) as Units);
