import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { StoredDigest } from '#domain/model/metering/usage-total.ts';
import type { Statement } from '#engines/lockstep/statement.ts';
import { type Credit, keyOf, type Ledger, type Total } from './ledger.ts';
import { runningDigest } from './running-digest.ts';

/** The rollover of a credit in the answer of the statement. */
interface StoredRollover {
  periodId: string;
  limit: string | null;
  periods: number;
  into: string | null;
  kept: string;
  cut: string;
}

export interface Contents {
  recordedAt: number;
  totals: (Omit<Total, 'usage' | 'digest' | 'cells'> & {
    balanceId: string;
    usage: string;
    digest: StoredDigest | null;
    cells: Record<string, string> | null;
  })[];
  credits: (Record<'amount' | 'remaining' | 'expired', string> & {
    balanceId: string;
    id: string;
    position: number;
    createdAt: number;
    expiresAt: number | null;
    priority: number;
    applied: Record<string, string> | null;
    rollover: StoredRollover | null;
  })[];
  reserved: { balanceId: string; amount: string }[];
  owed: { balanceId: string; periodId: string; priceId: string; quantity: string }[];
}

const contentsText = `with ledgers as (
   select b.id as balance_id, place, present
   from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality
     as ledger (subscription_id, usage_meter_id, present, place)
   join usage_meter_balance b using (subscription_id, usage_meter_id)),
 periods as (
   select balance_id, period_id, since
   from unnest($4::int[], $5::text[], $6::timestamptz[]) as period (place, period_id, since) join ledgers using (place)),
 wanted as (select balance_id, period_id from periods),
 started as (
   select balance_id, least(min(start_date), min(since)) as at
   from periods left join billing_period on billing_period.id = period_id group by 1)
 select (extract(epoch from now()::timestamptz(3)) * 1000)::float8 as "recordedAt",
   (select coalesce(json_agg(t), '[]') from (
     select balance_id as "balanceId", billing_period_id as "periodId", price_id as "priceId",
       usage::text, events, (extract(epoch from last_usage_date) * 1000)::bigint as "lastUsageDate",
       last_event_id as "lastEventId", digest, cells
     from usage_total where (balance_id, billing_period_id) in (select * from wanted)) t) as totals,
   (select coalesce(json_agg(c), '[]') from (
     select c.balance_id as "balanceId", c.id, c.position, (extract(epoch from c.created_at) * 1000)::bigint as "createdAt",
       (extract(epoch from c.expires_at) * 1000)::bigint as "expiresAt", c.priority,
       c.amount::text, c.remaining::text, c.expired::text, a.applied,
       case when c.rollover_periods is not null then json_build_object('periodId', c.billing_period_id,
         'limit', c.rollover_limit::text, 'periods', c.rollover_periods, 'into', c.rolled_into,
         'kept', c.rolled_over::text, 'cut', c.not_rolled_over::text) end as rollover
     from usage_credit c
     left join lateral (
       select json_object_agg(a.billing_period_id, a.amount::text) as applied
       from usage_credit_application a
       join wanted on wanted.balance_id = c.balance_id and wanted.period_id = a.billing_period_id
       where a.credit_id = c.id) a on true
     left join started on started.balance_id = c.balance_id
     where c.balance_id in (select balance_id from ledgers)
       and (c.remaining > 0 or a.applied is not null or (c.expired > 0 and c.expires_at > started.at)
         or (c.rollover_periods > 0 and exists (select from wanted
           where wanted.balance_id = c.balance_id and wanted.period_id = c.rolled_into)))) c) as credits,
   (select coalesce(json_agg(h), '[]') from (
     select balance_id as "balanceId", sum(r.usage_amount)::text as amount
     from reservation r join ledgers using (balance_id)
     where r.status = 'held' and r.expires_at > ledgers.present group by 1) h) as reserved,
   (select coalesce(json_agg(o), '[]') from (
     select balance_id as "balanceId", billing_period_id as "periodId", price_id as "priceId",
       sum(quantity)::text as quantity
     from owed_usage where (balance_id, billing_period_id) in (select * from wanted)
     group by 1, 2, 3) o) as owed`;

/** A ledger whose contents are read, with the periods whose totals are needed. */
interface Wanted {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly periodIds: ReadonlySet<string>;
  readonly now: Date;
  readonly since?: Date | null;
}

/** Reads the credits that have units left, that cover one of the periods, or that could have covered it. */
export function contentsStatement(wanted: readonly Wanted[]): Statement {
  const periods = wanted.flatMap(({ periodIds, since = null }, index) =>
    [...periodIds].map((periodId) => ({ place: index + 1, periodId, since })),
  );
  return {
    name: 'read ledgers',
    text: contentsText,
    values: [
      wanted.map(({ subscriptionId }) => subscriptionId),
      wanted.map(({ usageMeterId }) => usageMeterId),
      wanted.map(({ now }) => now),
      periods.map(({ place }) => place),
      periods.map(({ periodId }) => periodId),
      periods.map(({ since }) => since),
    ],
  };
}

/** Fills ledgers with the result of `contentsStatement`. */
export function fillLedgers(ledgers: Iterable<Ledger>, contents: Contents | undefined) {
  const byId = new Map([...ledgers].map((ledger) => [ledger.balanceId, ledger]));
  const { recordedAt = 0, totals = [], credits = [], reserved = [], owed = [] } = contents ?? {};
  for (const ledger of byId.values()) ledger.recordedAt = recordedAt;
  for (const { balanceId, amount } of reserved) {
    const ledger = byId.get(balanceId);
    if (ledger) ledger.reserved = unitsOf(amount);
  }
  for (const { balanceId, ...total } of totals) {
    const { periodId, priceId } = total;
    const usage = unitsOf(total.usage);
    const digest = total.digest && runningDigest(total.digest);
    const cells = cellsOf(total.cells);
    const key = keyOf(periodId, priceId);
    byId.get(balanceId)?.totals.set(key, { ...total, usage, digest, cells });
  }
  for (const { balanceId, ...credit } of credits)
    byId.get(balanceId)?.credits.push(creditOf(credit));
  for (const { balanceId, periodId, priceId, quantity } of owed) {
    byId.get(balanceId)?.owed.set(keyOf(periodId, priceId), unitsOf(quantity));
  }
}

/** The usage of cells as a total stores it. */
export const cellsOf = (cells: Readonly<Record<string, string>> | null): Map<string, Units> =>
  new Map(Object.entries(cells ?? {}).map(([cell, usage]) => [cell, unitsOf(usage)]));

const creditOf = ({
  amount,
  remaining,
  expired,
  applied,
  rollover,
  ...credit
}: Omit<Contents['credits'][number], 'balanceId'>): Credit => ({
  ...credit,
  amount: unitsOf(amount),
  remaining: unitsOf(remaining),
  expired: unitsOf(expired),
  applied: new Map(Object.entries(applied ?? {}).map(([id, units]) => [id, unitsOf(units)])),
  rollover: rollover && {
    ...rollover,
    limit: rollover.limit === null ? null : unitsOf(rollover.limit),
    kept: unitsOf(rollover.kept),
    cut: unitsOf(rollover.cut),
  },
});
