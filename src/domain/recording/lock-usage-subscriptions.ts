import type { Session } from '#domain/kernel/session.ts';
import { afterEnd, comingPeriod, noPeriod, type Period } from '#domain/metering/ledger/ledger.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The time of a customer's usage, in milliseconds; undefined for the present. */
export interface Use {
  readonly subscriptionId: string;
  readonly testClockId: string | null;
  readonly usageDate: number | undefined;
}

/** A subscription that keeps its periods until the transaction ends. */
export interface LockedUsageSubscription {
  /** The currency of its prices. */
  readonly currency: string;
  /** Whether it has alerts on its usage. */
  readonly watched: boolean;
  /** The present time of the customer, under the lock. */
  readonly now: Date;
  /** Whether a boundary of its periods must be crossed before usage is recorded. */
  readonly isDue: boolean;
  /** The period that usage of a date counts for. */
  readonly periodAt: (usageDate: number) => Period;
}

interface Row {
  readonly id: string;
  readonly currency: string;
  readonly watched: boolean;
  readonly isOver: boolean;
  /** In milliseconds. */
  readonly dueAt: number | null;
  readonly hasPeriod: boolean;
  /** The database's instant after the lock, in milliseconds. */
  readonly present: number;
  /** The instant of the last change, in milliseconds. */
  readonly actedAt: number;
  readonly period: Omit<Period, 'closed'> | null;
  /** In a pause of the billing: the period that began last. */
  readonly last: Pick<Period, 'id' | 'end'> | null;
}

/**
 * Locks subscriptions so that their periods do not change while usage is recorded. The lock is shared, so that
 * recordings do not wait for each other. Locks follow the one order, clocks first.
 */
export async function lockUsageSubscriptions(
  { em, now, clock, pricingModelId }: Session,
  uses: readonly Use[],
): Promise<Map<string, LockedUsageSubscription>> {
  const clockOf = new Map(
    uses.map(({ subscriptionId, testClockId }) => [subscriptionId, testClockId]),
  );
  const clockIds = [...new Set(clockOf.values())].filter((id) => id !== null);
  const clocks = clockIds.length > 0 ? await lockClocks() : new Map<string, Date>();
  const ids = [...clockOf.keys()];
  let rows = await lockAll();
  // The next statement sees a period that began during the wait for its subscription.
  if (rows.some(({ hasPeriod, period }) => hasPeriod && !period)) rows = await lockAll();
  const earlier = await earlierPeriods(rows);
  // The last locked row has the instant after all locks. The clock may have been set back since a last change.
  const last = Math.max(...rows.map(({ present }) => present));
  const presentOf = (actedAt: number) => (clock ? new Date(Math.max(last, actedAt)) : now);
  return new Map(
    rows.map(
      ({
        id,
        currency,
        watched,
        isOver,
        dueAt,
        actedAt,
        period,
        last,
      }): [string, LockedUsageSubscription] => {
        const present = clocks.get(clockOf.get(id) ?? '') ?? presentOf(actedAt);
        // A subscription that has ended has had its last usage billed, or owes nothing for it.
        const of = { currency, watched, now: present };
        if (isOver) return [id, { ...of, isDue: false, periodAt: () => afterEnd }];
        const ended = period ?? last;
        const coming = ended ? comingPeriod(ended) : noPeriod;
        const current = period ? { ...period, closed: false } : coming;
        const late = earlier.get(id) ?? [];
        const periodAt = (at: number) => {
          if (at >= current.end) return coming;
          if (at >= current.start) return current;
          return late.find((p) => at >= p.start && at < p.end) ?? current;
        };
        return [id, { ...of, isDue: dueAt !== null && dueAt <= present.getTime(), periodAt }];
      },
    ),
  );

  function lockAll() {
    return statement<Row>(
      em,
      'lock subscriptions',
      `with locked as (
         select id, currency, watched, status, current_billing_period_start, transition_due_at, updated_at from subscription
         where pricing_model_id = $1 and id = any($2::text[]) order by created_at, id for share)
       select s.id, s.currency, s.watched, s.status in ('canceled', 'incomplete_expired') as "isOver",
         (extract(epoch from s.transition_due_at) * 1000)::float8 as "dueAt",
         s.current_billing_period_start is not null as "hasPeriod",
         trunc(extract(epoch from clock_timestamp()) * 1000)::float8 as present,
         (extract(epoch from s.updated_at) * 1000)::float8 as "actedAt",
         case when p.id is not null then json_build_object('id', p.id,
           'start', (extract(epoch from p.start_date) * 1000)::bigint,
           'end', (extract(epoch from p.end_date) * 1000)::bigint) end as period,
         case when s.current_billing_period_start is null then (
           select json_build_object('id', l.id, 'end', (extract(epoch from l.end_date) * 1000)::bigint)
           from billing_period l where l.subscription_id = s.id order by l.start_date desc limit 1) end as last
       from locked s
       left join billing_period p on p.subscription_id = s.id and p.start_date = s.current_billing_period_start`,
      [pricingModelId, ids],
    );
  }

  async function lockClocks() {
    const rows = await statement<{ id: string; now: number }>(
      em,
      'lock clocks',
      `select id, (extract(epoch from frozen_time) * 1000)::float8 as now from test_clock
       where pricing_model_id = $1 and id = any($2::text[]) order by id for share`,
      [pricingModelId, clockIds],
    );
    return new Map(rows.map(({ id, now }) => [id, new Date(now)]));
  }

  /** The earlier periods that late usage counts for: those that have not been billed. */
  async function earlierPeriods(rows: readonly Row[]) {
    const starts = new Map(rows.map(({ id, period, last }) => [id, period?.start ?? last?.end]));
    const late = uses.filter(
      ({ subscriptionId, usageDate }) =>
        usageDate !== undefined && usageDate < (starts.get(subscriptionId) ?? -Infinity),
    );
    const found = new Map<string, Period[]>();
    if (late.length === 0) return found;
    const periods = await statement<Omit<Period, 'closed'> & { subscriptionId: string }>(
      em,
      'earlier periods',
      `select distinct p.subscription_id as "subscriptionId", p.id,
         (extract(epoch from p.start_date) * 1000)::float8 as start,
         (extract(epoch from p.end_date) * 1000)::float8 as "end"
       from billing_period p
       join unnest($2::text[], $3::timestamptz[]) as late (subscription_id, at)
         on p.subscription_id = late.subscription_id and p.start_date <= late.at and p.end_date > late.at
       where p.pricing_model_id = $1 and p.usage_billed_at is null`,
      [
        pricingModelId,
        late.map(({ subscriptionId }) => subscriptionId),
        late.map(({ usageDate }) => new Date(usageDate as number)),
      ],
    );
    for (const { subscriptionId, ...period } of periods) {
      const known = found.get(subscriptionId) ?? [];
      found.set(subscriptionId, [...known, { ...period, closed: true }]);
    }
    return found;
  }
}
