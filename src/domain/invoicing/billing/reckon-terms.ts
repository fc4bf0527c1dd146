import type { Session } from '#domain/kernel/session.ts';
import { dividedHalfUp } from '#domain/kernel/values/decimal.ts';
import { spendIn } from '#domain/metering/ledger/period-spend.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { PeriodCommitment } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { planCharges } from './plan-charges.ts';
import type { UnbilledUsage } from './unbilled-usage.ts';

/** A fraction, as numerator and denominator. */
export type Fraction = readonly [bigint, bigint];

/** The closed periods of a term, with what they commit and what counts for them; minor units before discounts and tax. */
export interface TermSoFar {
  /** The first period of the term. */
  readonly periodId: string;
  readonly start: number;
  readonly end: number;
  readonly terms: PeriodCommitment;
  /** Whether no period of the term follows. */
  readonly isComplete: boolean;
  readonly parts: readonly Fraction[];
  readonly committed: number;
  readonly usage: number;
  readonly plan: number;
}

/** The terms of all commitments of a locked subscription, as far as their periods have ended; the earliest first. */
export async function termsSoFar(
  session: Session,
  subscription: Subscription,
  unbilled: readonly UnbilledUsage[],
): Promise<TermSoFar[]> {
  const { em, now } = session;
  const of = { subscription: subscription.id, commitment: { $ne: null } };
  const all = await em.find(BillingPeriod, of, { orderBy: { startDate: 'asc' } });
  const closed = all.filter(({ endDate }) => endDate <= now);
  const ids = closed.map(({ id }) => id);
  const [usage, plan] = [
    await usageOf(session, subscription, ids, unbilled),
    await planCharges(session, closed),
  ];
  const terms = Map.groupBy(closed, ({ commitment }) => commitment?.term);
  return [...terms.entries()].map(([key, periods]) => {
    const [first] = periods as [BillingPeriod];
    const last = periods.at(-1) as BillingPeriod;
    const { amount, periods: most } = first.commitment as PeriodCommitment;
    const parts = periods.map(committedPart);
    const isRunning = !subscription.isTerminal && subscription.commitment?.term?.start === key;
    const sum = (amounts: ReadonlyMap<string, number>) =>
      periods.reduce((sum, { id }) => sum + (amounts.get(id) ?? 0), 0);
    return {
      periodId: first.id,
      start: first.startDate.getTime(),
      end: last.endDate.getTime(),
      terms: first.commitment as PeriodCommitment,
      isComplete: !isRunning || last.commitment?.place === most,
      parts,
      committed: committedBy(amount, parts),
      usage: sum(usage),
      plan: first.commitment?.counts === 'all' ? sum(plan) : 0,
    };
  });
}

/** The part of the amount that a period commits: its share of a whole billing cycle. */
export function committedPart({
  startDate,
  endDate,
  commitment,
}: Pick<BillingPeriod, 'startDate' | 'endDate' | 'commitment'>): Fraction {
  const { part, cycle, from } = commitment as PeriodCommitment;
  const begun = Math.max(startDate.getTime(), from);
  const length = Math.max(0, endDate.getTime() - begun);
  return reduced([BigInt(part[0]) * BigInt(length), BigInt(part[1]) * BigInt(cycle[1] - cycle[0])]);
}

/** The parts of an amount together, rounded half up once. */
export function committedBy(amount: number, parts: readonly Fraction[]): number {
  const [numerator, denominator] = parts.reduce<Fraction>(
    ([a, b], [c, d]) => reduced([a * d + c * b, b * d]),
    [0n, 1n],
  );
  return Number(dividedHalfUp(BigInt(amount) * numerator, denominator));
}

function reduced([numerator, denominator]: Fraction): Fraction {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? [0n, 1n] : [numerator / a, denominator / a];
}

/** The cost of usage of periods, billed or due, less the corrections that money was kept for. */
async function usageOf(
  { em }: Session,
  { id }: Subscription,
  periodIds: readonly string[],
  unbilled: readonly UnbilledUsage[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await statement<{ periodId: string; amount: string }>(
    em,
    'billed usage of terms',
    `select o.billing_period_id as "periodId", sum(o.amount)::text as amount
     from owed_usage o join usage_meter_balance b on b.id = o.balance_id
     where b.subscription_id = $1 and o.billing_period_id = any($2::text[])
       and o.invoice_line_item_id is not null and not o.is_lost
     group by 1`,
    [id, periodIds],
  );
  const amounts = new Map(rows.map(({ periodId, amount }) => [periodId, Number(amount)]));
  for (const { periodId, amount, undone } of unbilled.flatMap(({ parts }) => parts)) {
    if (undone && undone.standing !== 'kept') continue;
    amounts.set(periodId, (amounts.get(periodId) ?? 0) + Number(amount));
  }
  return amounts;
}

/** The amounts that count for a commitment in periods so far, also in a running one; nothing needs to be locked. */
export async function countedFor(
  session: Session,
  { id }: Pick<Subscription, 'id'>,
  periods: readonly BillingPeriod[],
  counts: PeriodCommitment['counts'],
): Promise<number> {
  const spends = await spendIn(
    session,
    periods.map((period) => [id, period.id]),
  );
  const usage = spends.reduce((sum, { amount }) => sum + Number(amount), 0);
  if (counts === 'usage') return usage;
  const plan = await planCharges(session, periods);
  return [...plan.values()].reduce((sum, amount) => sum + amount, usage);
}
