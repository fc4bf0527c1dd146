import type { Session } from '#domain/kernel/session.ts';
import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import {
  afterEnd,
  type Credit,
  type Ledger,
  noPeriod,
  usageOf,
} from '#domain/metering/ledger/ledger.ts';
import { type Spend, spendIn } from '#domain/metering/ledger/period-spend.ts';
import type { Alert } from '#domain/model/metering/alert.ts';
import { forecastKinds } from '#domain/model/metering/alert-kinds.ts';
import { type LedgerForecast, readForecasts } from './read-forecasts.ts';

/** The value that an alert compares, for a subscription and a period. */
export interface Measure {
  readonly alert: Alert;
  readonly ledger: Ledger;
  /** The empty text for a value without a period. */
  readonly periodId: string;
  /** Null where there is none: nothing is used, or no credits were granted. */
  readonly value: Units | null;
}

interface Known {
  readonly spends: readonly Spend[];
  readonly forecasts: ReadonlyMap<string, LedgerForecast>;
}

const hour = 3_600_000n;
const one = unitsOf('1');

/** The present values of alerts on written ledgers; one for each alert, subscription and period. */
export async function measureAlerts(
  session: Session,
  ledgers: readonly Ledger[],
  alerts: readonly Alert[],
): Promise<{ measures: Measure[]; forecasts: Known['forecasts'] }> {
  const pairs = ledgers.flatMap((ledger) =>
    alerts.filter((alert) => alert.concerns(ledger)).map((alert) => ({ alert, ledger })),
  );
  const of = (is: (alert: Alert) => boolean) => [
    ...new Set(pairs.flatMap(({ alert, ledger }) => (is(alert) ? ledger : []))),
  ];
  const spending = of(({ kind }) => kind === 'spend').flatMap((ledger) =>
    periodsOf(ledger).map((periodId) => [ledger.subscriptionId, periodId] as const),
  );
  const distinct = [...new Map(spending.map((pair) => [pair.join(' '), pair])).values()];
  const spends = await spendIn(session, distinct);
  const forecasts = await readForecasts(
    session,
    of(({ kind }) => forecastKinds.includes(kind)),
  );
  const measures = new Map<string, Measure>();
  for (const { alert, ledger } of pairs) {
    for (const { periodId, value } of valuesOf(alert, ledger, { spends, forecasts })) {
      const key = `${alert.id} ${ledger.subscriptionId} ${periodId}`;
      measures.set(key, { alert, ledger, periodId, value });
    }
  }
  return { measures: [...measures.values()], forecasts };
}

/** The periods whose usage or coverage a ledger has read; usage after the end counts for none. */
const periodsOf = ({ totals }: Ledger): string[] => [
  ...new Set(
    [...totals.values()].flatMap(({ periodId }) => (periodId === afterEnd.id ? [] : periodId)),
  ),
];

type Value = Pick<Measure, 'periodId' | 'value'>;

function valuesOf(
  { kind, usageMeterId }: Alert,
  ledger: Ledger,
  { spends, forecasts }: Known,
): readonly Value[] {
  const forecast = forecasts.get(ledger.balanceId);
  switch (kind) {
    case 'usage':
      return periodsOf(ledger).map((periodId) => ({ periodId, value: usageOf(ledger, periodId) }));
    case 'spend':
      return periodsOf(ledger).map((periodId) => {
        const own = spends.filter(
          (spend) =>
            spend.subscriptionId === ledger.subscriptionId &&
            spend.periodId === periodId &&
            (usageMeterId === null || spend.usageMeterId === usageMeterId),
        );
        return { periodId, value: own.reduce((sum, { amount }) => sum + amount, 0n) * one };
      });
    case 'credits':
      return [{ periodId: noPeriod.id, value: ledger.balances.credits }];
    case 'projected_usage': {
      const { periodId, projectedPeriodTotal } = forecast ?? {};
      if (!periodId || projectedPeriodTotal == null) return [];
      return [{ periodId, value: unitsOf(projectedPeriodTotal) }];
    }
    case 'credit_hours':
      return [{ periodId: noPeriod.id, value: forecast ? hoursLeft(ledger, forecast) : null }];
    case 'credit_expiry':
      return [{ periodId: noPeriod.id, value: hoursUntil(ledger, nextExpiry(ledger)) }];
  }
}

/** The hours until credits run out: 0 once they have. Null while nothing is used, or none were granted. */
function hoursLeft(
  ledger: Ledger,
  { isBurning, hasCredits, runsOutAt }: LedgerForecast,
): Units | null {
  if (!isBurning || ledger.balances.granted === 0n) return null;
  return hasCredits ? hoursUntil(ledger, runsOutAt?.getTime() ?? null) : 0n;
}

/** When the next unused credits expire, in milliseconds; null where none do. */
export function nextExpiry({ credits, now }: Ledger): number | null {
  const times = credits
    .filter(loses)
    .flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? expiresAt : []));
  return times.length > 0 ? Math.min(...times) : null;
}

/** Whether units of a credit expire at its end: it does not roll over, or has more than its limit. */
function loses({ remaining, rollover }: Credit): boolean {
  if (!rollover || rollover.periods === 0) return remaining > 0n;
  return rollover.into === null && rollover.limit !== null && remaining > rollover.limit;
}

const hoursUntil = ({ now }: Ledger, at: number | null): Units | null =>
  at === null ? null : (BigInt(at - now) * one) / hour;
