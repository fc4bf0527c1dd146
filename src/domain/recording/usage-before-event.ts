import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Ledger, Period } from '#domain/metering/ledger/ledger.ts';
import { type Correction, ranOutSince } from '#domain/metering/ledger/usage-correction.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import {
  eventOrder,
  latestEventFirst,
  type UsageEvent,
} from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { requireOutsideHistory } from './require-outside-history.ts';

type AggregationType = (typeof aggregationTypes)[number];

/** The aggregated usage of a period's events that were recorded `before` an instant; each price separately. */
const made: Readonly<Record<AggregationType, string>> = {
  sum: 'select sum(amount) from before',
  count: 'select count(*) from before',
  max: 'select sum(most) from (select max(amount) as most from before group by price_id) one',
  last: `select sum(amount) from (select distinct on (price_id) amount from before
    order by price_id, usage_date desc, ${latestEventFirst('before')}) one`,
  count_distinct_properties: `select sum(amount) from (select distinct on (properties) amount from before
    order by properties, ${eventOrder('before')}) one`,
};

/** When an event was recorded, or the first one that it replaces. */
export const firstRecorded = ({ createdAt, firstRecordedAt }: UsageEvent): Date =>
  firstRecordedAt ?? createdAt;

/**
 * The data that a locked ledger needs to void or replace an event: the usage at each expiry of a credit since then.
 * It is looked up only where such credits exist. Errors: CONFLICT where it depends on events of the history.
 */
export async function correctionOf(
  session: Session,
  ledger: Ledger,
  period: Period,
  event: UsageEvent,
  { aggregationType }: { readonly aggregationType: AggregationType },
): Promise<Correction> {
  const recordedAt = firstRecorded(event).getTime();
  const credits = ranOutSince(ledger, period, recordedAt).filter(
    ({ expired, applied }) => expired > 0n || (applied.get(period.id) ?? 0n) > 0n,
  );
  const instants = [...new Set(credits.map(({ expiresAt }) => expiresAt as number))];
  if (instants.length === 0) return { recordedAt, usedBefore: new Map() };
  await requireOutsideHistory(session, event, period);
  const { em, pricingModelId } = session;
  const rows = await statement<{ at: number; used: string }>(
    em,
    `used before, ${aggregationType}`,
    `with counting as (
       select e.*, coalesce(first_recorded_at, created_at) as since from usage_event e
       where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3
         and billing_period_id is not distinct from $4 and after_end = $6 and voided_at is null)
     select (extract(epoch from at) * 1000)::float8 as at, coalesce(used, 0)::text as used
     from unnest($5::timestamptz[]) as at, lateral (
       with before as (select * from counting where since < at) ${made[aggregationType]}) as made (used)`,
    [
      pricingModelId,
      event.subscriptionId,
      event.usageMeterId,
      event.billingPeriodId,
      instants.map((at) => new Date(at)),
      event.afterEnd,
    ],
  );
  return { recordedAt, usedBefore: new Map(rows.map(({ at, used }) => [at, unitsOf(used)])) };
}
