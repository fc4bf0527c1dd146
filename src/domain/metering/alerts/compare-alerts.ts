import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { forecastKinds } from '#domain/model/metering/alert-kinds.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { compareBillAt } from './compare-bill-at.ts';
import { compareTopUps } from './compare-top-ups.ts';
import { type Measure, measureAlerts, nextExpiry } from './measure-alerts.ts';
import { type LedgerForecast, nextComparison } from './read-forecasts.ts';

const hourMilliseconds = 3_600_000n;

/**
 * Compares the alerts on written ledgers, in their transaction: a value that reaches a threshold begins a crossing, and
 * one that has returned ends it. Ledgers of subscriptions without alerts need no statement. Returns what was compared.
 */
export async function compareAlerts(
  session: Session,
  ledgers: readonly Ledger[],
): Promise<readonly Measure[]> {
  const watched = ledgers.filter(({ watched }) => watched);
  if (watched.length === 0) return [];
  await compareTopUps(session, watched);
  await compareBillAt(session, watched);
  const { em } = session;
  const customers = [...new Set(watched.map(({ customerId }) => customerId))];
  const alerts = await em.find(
    Alert,
    { customer: { $in: customers }, active: true },
    { orderBy: { createdAt: 'asc', position: 'asc' }, refresh: true },
  );
  const { measures, forecasts } = await measureAlerts(session, watched, alerts);
  await recordCrossings(session, measures);
  await compareAgain(session, nextTimes(watched, alerts, forecasts));
  return measures;
}

/** Begins the crossings of values that have reached their threshold, and ends those of values that have returned. */
async function recordCrossings(session: Session, measures: readonly Measure[]) {
  // Crossings and their events have the time of their customer; a recording has several.
  for (const [now, own] of Map.groupBy(measures, ({ ledger }) => ledger.now)) {
    const em = session.em.fork({ keepTransactionContext: true });
    await recordAt(atInstant({ ...session, em }, new Date(now)), own);
  }
}

async function recordAt({ em, now }: Session, measures: readonly Measure[]) {
  const open = await em.find(AlertCrossing, {
    alert: { $in: [...new Set(measures.map(({ alert }) => alert.id))] },
    subscriptionId: { $in: [...new Set(measures.map(({ ledger }) => ledger.subscriptionId))] },
    endedAt: null,
  });
  for (const { alert, ledger, periodId, value } of measures) {
    const { subscriptionId, customerId } = ledger;
    const own = open.filter(
      (one) =>
        one.alertId === alert.id &&
        one.subscriptionId === subscriptionId &&
        one.billingPeriodId === periodId,
    );
    for (const percentage of alert.levels) {
      const known = own.find((one) => one.percentage === percentage);
      const isReached = value !== null && alert.isReachedBy(value, percentage);
      if (known && !isReached) known.endedAt = now;
      if (known || !isReached) continue;
      em.create(AlertCrossing, {
        alert: em.getReference(Alert, alert.id),
        customerId,
        subscriptionId,
        usageMeterId: alert.usageMeterId,
        billingPeriodId: periodId,
        kind: alert.kind,
        threshold: decimalText(alert.thresholdAt(percentage)),
        percentage,
        value: decimalText(value),
        endedAt: null,
      });
    }
  }
  await em.flush();
}

type Next = readonly [ledger: Ledger, at: Date];

/**
 * When values change with time alone: a forecast once an hour, while the last 24 hours have usage; the hours until
 * credits expire when they reach the threshold.
 */
const nextTimes = (
  ledgers: readonly Ledger[],
  alerts: readonly Alert[],
  forecasts: ReadonlyMap<string, LedgerForecast>,
): Next[] =>
  ledgers.flatMap((ledger) =>
    alerts
      .filter((alert) => alert.concerns(ledger))
      .flatMap((alert): Next[] => {
        const { kind } = alert;
        if (kind === 'credit_expiry') {
          const expiry = nextExpiry(ledger);
          if (expiry === null) return [];
          return alert.levels.flatMap((percentage): Next[] => {
            const before = (alert.thresholdAt(percentage) * hourMilliseconds) / unitsOf('1');
            const at = expiry - Number(before);
            return at > ledger.now ? [[ledger, new Date(at)]] : [];
          });
        }
        const changes = forecastKinds.includes(kind) && forecasts.get(ledger.balanceId)?.isBurning;
        return changes ? [[ledger, nextComparison(ledger.subscriptionId, ledger.now)]] : [];
      }),
  );

async function compareAgain({ em }: Session, times: readonly Next[]) {
  if (times.length === 0) return;
  await statement(
    em,
    'compare alerts again',
    `update usage_watch watch set due_at = next.at
     from (select id, min(at) as at from unnest($1::text[], $2::timestamptz[]) as next (id, at) group by id) next
     where watch.subscription_id = next.id and (due_at is null or due_at > next.at)`,
    [times.map(([{ subscriptionId }]) => subscriptionId), times.map(([, at]) => at)],
  );
}
