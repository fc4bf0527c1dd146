import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import { decimalText, type Units, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { lowest } from '#domain/rules/ledger/ledger.ts';
import { nowOf, ownerOf } from '#domain/rules/reads/read-customer.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { type Forecast, forecast } from './forecast.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

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
  /** The reserved part of the remaining units. */
  readonly held: string;
  /** Usage without credits that is not billed, of this and earlier periods. */
  readonly overage: string;
}

interface Numbers {
  readonly balanceId: string;
  readonly expired: string;
  readonly used: string;
  readonly applied: string;
  readonly held: string;
  readonly recent: string;
}

const hourMilliseconds = 3_600_000;
const recentHours = 24;

/** The balances of a subscription, one for each meter that it has used or has credits for, the oldest first. */
export async function balancesOf(
  session: Session,
  subscription: Subscription,
): Promise<MeterBalance[]> {
  const { em } = session;
  const balances = await em.find(
    UsageMeterBalance,
    { subscription: subscription.id },
    { orderBy: oldestFirst, refresh: true },
  );
  if (balances.length === 0) return [];
  const now = await nowOf(session, await ownerOf(session, subscription));
  const period = subscription.currentBillingPeriodStart
    ? await em.findOne(BillingPeriod, {
        subscription: subscription.id,
        startDate: subscription.currentBillingPeriodStart,
      })
    : null;
  const since = new Date(
    (Math.floor(now.getTime() / hourMilliseconds) - recentHours + 1) * hourMilliseconds,
  );
  const numbers = await read(session, balances, period?.id ?? '', now, since);
  const meters = await em.find(UsageMeter, {
    id: { $in: balances.map(({ usageMeterId }) => usageMeterId) },
  });
  return balances.flatMap((balance) => {
    const meter = meters.find(({ id }) => id === balance.usageMeterId);
    const of = numbers.get(balance.id);
    if (!meter || !of) return [];
    const remaining = unitsOf(balance.credits) - unitsOf(of.expired);
    // A reservation may outlast its credits; then it covers only the remaining ones.
    const held = lowest(unitsOf(of.held), remaining);
    const available = remaining - held + unitsOf(balance.overage);
    const used = unitsOf(of.used);
    const measured = { now, since, started: subscription.startDate, end: period?.endDate ?? null };
    return {
      balance,
      meter,
      available: decimalText(available),
      used: decimalText(used),
      granted: decimalText(remaining + unitsOf(of.applied)),
      remaining: decimalText(remaining),
      held: decimalText(held),
      overage: decimalText(max(0n, -unitsOf(balance.overage))),
      ...forecast({ ...measured, available, used, recent: unitsOf(of.recent) }),
    };
  });
}

const max = (a: Units, b: Units) => (a > b ? a : b);

/** Reads balances without credits that have run out, whether expired in the ledger or not. */
async function read(
  { em }: Session,
  balances: readonly UsageMeterBalance[],
  periodId: string,
  now: Date,
  since: Date,
) {
  const rows = await statement<Numbers>(
    em,
    'balance numbers',
    `select b.id as "balanceId",
       (select coalesce(sum(remaining), 0) from usage_credit
        where balance_id = b.id and remaining > 0 and expires_at <= $3)::text as expired,
       (select coalesce(sum(usage), 0) from usage_total
        where balance_id = b.id and billing_period_id = $2)::text as used,
       (select coalesce(sum(a.amount), 0) from usage_credit_application a join usage_credit c on c.id = a.credit_id
        where c.balance_id = b.id and a.billing_period_id = $2)::text as applied,
       (select coalesce(sum(usage_amount), 0) from reservation
        where balance_id = b.id and status = 'held' and expires_at > $3)::text as held,
       (select coalesce(sum(usage), 0) from usage_hour
        where balance_id = b.id and hour >= $4 and hour <= $3)::text as recent
     from unnest($1::text[]) as b (id)`,
    [balances.map(({ id }) => id), periodId, now, since],
  );
  return new Map(rows.map((row) => [row.balanceId, row]));
}
