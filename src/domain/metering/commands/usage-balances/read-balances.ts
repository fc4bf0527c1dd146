import { oldestFirst } from '#domain/kernel/columns.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { type Forecast, forecast } from '#domain/metering/alerts/forecast.ts';
import { lowest } from '#domain/metering/ledger/ledger.ts';
import type { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { nowOfSubscription } from '#domain/platform/reads/read-customer.ts';
import { countAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The present balance of a subscription on a usage meter. Amounts are exact decimals. */
export interface MeterBalance extends Forecast {
  readonly balance: UsageMeterBalance;
  readonly meter: UsageMeter;
  /** Unreserved credits, less usage that is neither covered nor billed; below 0 while an amount is due. */
  readonly available: string;
  /** The usage of the current billing period. */
  readonly used: string;
  /** The credits that were granted in the current billing period. */
  readonly granted: string;
  /** The remaining units of all credits. */
  readonly remaining: string;
  /** The part of the remaining units that has rolled over from earlier periods. */
  readonly rolledOver: string;
  /** The reserved part of the remaining units. */
  readonly held: string;
  /** Usage without credits that is not billed, of this and earlier periods. */
  readonly overage: string;
}

/** Counts the accepted usage of several subscriptions before their balances are read. */
async function countFirst(session: Session, ids: readonly string[]) {
  await countAcceptedUsage(session, ids);
  return new Map<string, never>();
}

interface Numbers {
  readonly key: string;
  readonly expired: string;
  readonly lapsing: string;
  readonly rolled: string;
  readonly used: string;
  readonly applied: string;
  readonly held: string;
  readonly recent: string;
}

const hourMilliseconds = 3_600_000;
const recentHours = 24;

/**
 * The balances of a subscription, one for each meter that it has used or has credits for, the oldest first. A few
 * statements read those of several subscriptions.
 */
export async function balancesOf(
  session: Session,
  subscription: Subscription,
): Promise<MeterBalance[]> {
  await batched(session, 'accepted usage', subscription.id, countFirst);
  const balances = await batched(session, 'balances', subscription.id, balancesBySubscription);
  if (!balances) return [];
  const now = await nowOfSubscription(session, subscription);
  const period = subscription.currentBillingPeriodStart
    ? await batched(
        session,
        'periods of balances',
        periodKey(subscription.id, subscription.currentBillingPeriodStart),
        periodsByStart,
      )
    : undefined;
  const since = new Date(
    (Math.floor(now.getTime() / hourMilliseconds) - recentHours + 1) * hourMilliseconds,
  );
  const instants = [period?.id ?? '', now.toISOString(), since.toISOString()];
  const [numbers, meters] = await Promise.all([
    Promise.all(
      balances.map(({ id }) =>
        batched(session, 'numbers of balances', [id, ...instants].join(' '), read),
      ),
    ),
    Promise.all(balances.map(({ usageMeter }) => usageMeter.load())),
  ]);
  return balances.flatMap((balance, place) => {
    const [meter, of] = [meters[place], numbers[place]];
    if (!meter || !of) return [];
    const remaining = unitsOf(balance.credits) - unitsOf(of.expired);
    // A reservation may outlast its credits; then it covers only the remaining ones.
    const held = lowest(unitsOf(of.held), remaining);
    const available = remaining - held + unitsOf(balance.overage);
    const used = unitsOf(of.used);
    const end = period?.endDate ?? null;
    const measured = { now, since, started: subscription.startDate, end };
    const ahead = forecast({ ...measured, available, used, recent: unitsOf(of.recent) });
    // Credits that expire with the period are not what the usage after it consumes: the next period grants others.
    const isRenewedBefore =
      unitsOf(of.lapsing) > 0n && end !== null && (ahead.runsOutAt ?? end) > end;
    return {
      balance,
      meter,
      available: decimalText(available),
      used: decimalText(used),
      granted: decimalText(remaining + unitsOf(of.applied)),
      remaining: decimalText(remaining),
      rolledOver: of.rolled,
      held: decimalText(held),
      overage: decimalText(max(0n, -unitsOf(balance.overage))),
      ...ahead,
      runsOutAt: isRenewedBefore ? null : ahead.runsOutAt,
    };
  });
}

/** One balance by its id; null for an unknown id. */
export async function balanceById(session: Session, id: string): Promise<MeterBalance | null> {
  const found = await batched(session, 'balances by id', id, async ({ em }, ids) => {
    const balances = await em.find(UsageMeterBalance, { id: { $in: [...ids] } });
    return new Map(balances.map((balance) => [balance.id, balance]));
  });
  const subscription = await found?.subscription.load();
  if (!subscription) return null;
  const balances = await balancesOf(session, subscription);
  return balances.find(({ balance }) => balance.id === id) ?? null;
}

const max = (a: Units, b: Units) => (a > b ? a : b);

const balancesBySubscription = async ({ em }: Session, ids: readonly string[]) =>
  Map.groupBy(
    await em.find(
      UsageMeterBalance,
      { subscription: { $in: [...ids] } },
      { orderBy: oldestFirst, refresh: true },
    ),
    ({ subscriptionId }) => subscriptionId,
  );

const periodKey = (subscriptionId: string, start: Date) =>
  `${subscriptionId} ${start.toISOString()}`;

async function periodsByStart({ em }: Session, keys: readonly string[]) {
  const asked = keys.map((key) => key.split(' ') as [string, string]);
  const periods = await em.find(BillingPeriod, {
    subscription: { $in: asked.map(([subscription]) => subscription) },
    startDate: { $in: [...new Set(asked.map(([, start]) => start))].map((at) => new Date(at)) },
  });
  return new Map(
    periods.map((period) => [periodKey(period.subscriptionId, period.startDate), period]),
  );
}

/**
 * Reads balances without credits that have run out, whether expired in the ledger or not. A key names a balance, its
 * period, the present and the start of the recent usage.
 */
async function read({ em }: Session, keys: readonly string[]) {
  const asked = keys.map((key) => key.split(' '));
  const column = (place: number) => asked.map((parts) => parts[place]);
  const rows = await statement<Numbers>(
    em,
    'balance numbers',
    `select b.key,
       (select coalesce(sum(remaining), 0) from usage_credit
        where balance_id = b.id and remaining > 0 and expires_at <= b.now and coalesce(rollover_periods, 0) = 0)::text as expired,
       (select coalesce(sum(remaining), 0) from usage_credit
        where balance_id = b.id and remaining > 0 and expires_at > b.now
          and expires_at <= (select end_date from billing_period where id = b.period))::text as lapsing,
       (select coalesce(sum(remaining), 0) from usage_credit
        where balance_id = b.id and remaining > 0 and rolled_into is not null
          and (expires_at > b.now or rollover_periods > 0))::text as rolled,
       (select coalesce(sum(usage), 0) from usage_total
        where balance_id = b.id and billing_period_id = b.period)::text as used,
       (select coalesce(sum(a.amount), 0) from usage_credit_application a join usage_credit c on c.id = a.credit_id
        where c.balance_id = b.id and a.billing_period_id = b.period)::text as applied,
       (select coalesce(sum(usage_amount), 0) from reservation
        where balance_id = b.id and status = 'held' and expires_at > b.now)::text as held,
       (select coalesce(sum(usage), 0) from usage_hour
        where balance_id = b.id and hour >= b.since and hour <= b.now)::text as recent
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       as b (key, id, period, now, since)`,
    [keys, column(0), column(1), column(2), column(3)],
  );
  return new Map(rows.map((row) => [row.key, row]));
}
