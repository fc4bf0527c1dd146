import type { BucketInterval } from '#domain/kernel/buckets.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { tenantConditions } from './conditions.ts';
import type { Row } from './engine.ts';
import type { HistoryFile } from './history-file.ts';
import { sqlInstant, sqlList, sqlText } from './sql-text.ts';
import { readHistory } from './usage-history.ts';

/** The usage that is wanted: of meters in a time span, and maybe of a subscription or a customer. */
export interface UsageOfFiles {
  readonly usageMeterIds: readonly string[];
  readonly subscription: string | null;
  readonly customer: string | null;
  readonly from: Date;
  readonly to: Date;
}

/** Hours of a subscription and meter, in milliseconds. */
export interface HoursOfFiles {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly from: number;
  readonly to: number;
}

/** The largest number of rows that are combined with those of the table. */
const mostRows = 100_000;
/** The largest size of their properties together, in bytes. */
const mostBytes = 16 * 2 ** 20;

/** The files with usage of a time span. */
export const filesOfSpan = (files: readonly HistoryFile[], from: Date, to: Date) =>
  files.filter(
    (file) => file.firstUsageDate < to.getTime() && file.lastUsageDate >= from.getTime(),
  );

const orderAt = 'coalesce(order_at, recorded_at)';
const orderPlace = 'coalesce(order_place, place)';

/**
 * The first event of each set of properties in each bucket of each subscription and meter, with the number of events.
 * Errors: BAD_REQUEST for too many sets; those of files.
 */
export function distinctUsage(
  session: Session,
  files: readonly HistoryFile[],
  wanted: UsageOfFiles,
  interval: BucketInterval,
): Promise<Row[]> {
  return limited(
    session,
    filesOfSpan(files, wanted.from, wanted.to),
    (source) => `select usage_meter_id as meter, subscription_id,
        epoch_ms(date_trunc('${interval}', usage_date)::timestamp)::double as start,
        coalesce(properties, '{}') as properties, count(*)::double as events,
        arg_min({'amount': amount, 'order_at': epoch_ms(${orderAt})::double, 'order_place': ${orderPlace}::double, 'id': id},
          row(${orderAt}, ${orderPlace}, id)) as one
      from ${source} where ${conditionsOf(session, wanted)} group by all`,
  );
}

/**
 * The usage of hours of subscriptions, by sets of properties where they are wanted. Errors: BAD_REQUEST for too many
 * sets; those of files.
 */
export function hourlyUsage(
  session: Session,
  files: readonly HistoryFile[],
  wanted: UsageOfFiles,
  hours: readonly HoursOfFiles[],
  byProperties: boolean,
): Promise<Row[]> {
  if (hours.length === 0) return Promise.resolve([]);
  const spans = hours
    .map(
      ({ subscriptionId, usageMeterId, from, to }) =>
        `(${sqlText(subscriptionId)}, ${sqlText(usageMeterId)}, ${sqlInstant(from)}, ${sqlInstant(to)})`,
    )
    .join(', ');
  return limited(
    session,
    filesOfSpan(files, wanted.from, wanted.to),
    (source) => `select usage_meter_id as meter, subscription_id,
        epoch_ms(date_trunc('hour', usage_date)::timestamp)::double as start,
        ${byProperties ? 'properties' : 'null'} as properties, count(*)::double as events,
        sum(amount_value)::varchar as amount, max(amount_value)::varchar as largest,
        arg_max({'amount': amount, 'usage_date': epoch_ms(usage_date)::double, 'order_at': epoch_ms(${orderAt})::double,
          'order_place': ${orderPlace}::double, 'id': id}, row(usage_date, ${orderAt}, ${orderPlace}, id)) as one
      from ${source} where ${conditionsOf(session, wanted)} and exists (
        select 1 from (values ${spans}) span (subscription, meter, low, high)
        where span.subscription = subscription_id and span.meter = usage_meter_id
          and usage_date >= span.low and usage_date < span.high)
      group by all`,
  );
}

function conditionsOf(
  session: Session,
  { usageMeterIds, subscription, customer, from, to }: UsageOfFiles,
) {
  return [
    ...tenantConditions(session),
    'voided_at is null',
    `usage_meter_id in ${sqlList(usageMeterIds)}`,
    `usage_date >= ${sqlInstant(from.getTime())} and usage_date < ${sqlInstant(to.getTime())}`,
    ...(subscription === null ? [] : [`subscription_id = ${sqlText(subscription)}`]),
    ...(customer === null ? [] : [`customer_id = ${sqlText(customer)}`]),
  ].join(' and ');
}

async function limited(
  session: Session,
  files: readonly HistoryFile[],
  sql: (source: string) => string,
): Promise<Row[]> {
  const rows = await readHistory<Row>(
    session,
    files,
    (source) => `select * exclude (size) from (
        select *, sum(size) over (rows unbounded preceding)::double as bytes
        from (select *, strlen(coalesce(properties, '')) as size from (${sql(source)} limit ${mostRows + 1})))
      where bytes - size <= ${mostBytes}`,
  );
  const isTooLarge = rows.some(({ bytes }) => (bytes as number) > mostBytes);
  if (rows.length <= mostRows && !isTooLarge) return rows;
  throw invalid(
    'OUT_OF_RANGE',
    'from',
    `includes more than ${mostRows} sets of properties in the history, or ${mostBytes / 2 ** 20} MiB of them; name a subscription or a shorter time`,
  );
}
