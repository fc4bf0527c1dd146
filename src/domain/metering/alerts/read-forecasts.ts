import { createHash } from 'node:crypto';
import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { type Ledger, lowest } from '#domain/metering/ledger/ledger.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { type Forecast, forecast } from './forecast.ts';

const hourMilliseconds = 3_600_000;
const recentHours = 24;

/** The start of the 24 hours whose usage a forecast continues: the present hour is the last of them. */
const recentSince = (now: number): Date =>
  new Date((Math.floor(now / hourMilliseconds) - recentHours + 1) * hourMilliseconds);

/**
 * When the forecast of a subscription is compared next: once an hour, since an hour leaves the recent usage. Each one has
 * its own instant within the hour, so that not all are due together.
 */
export function nextComparison(subscriptionId: string, now: number): Date {
  const hash = createHash('sha256').update(subscriptionId).digest().readUInt32BE();
  const within = hash % hourMilliseconds;
  const hours = Math.floor((now - within) / hourMilliseconds) + 1;
  return new Date(hours * hourMilliseconds + within);
}

/** The forecast of a ledger, with the period that it is for. */
export interface LedgerForecast extends Forecast {
  /** The current period; null where there is none. */
  readonly periodId: string | null;
  /** Whether there has been usage in the last 24 hours. */
  readonly isBurning: boolean;
  /** Whether credits are left that are not reserved. */
  readonly hasCredits: boolean;
}

interface Row {
  readonly id: string;
  readonly started: Date | string;
  readonly periodId: string | null;
  readonly end: Date | string | null;
  readonly used: string;
  readonly recent: string;
}

/** The forecasts of locked ledgers, after they were written, by the ids of their balances. */
export async function readForecasts(
  { em }: Session,
  ledgers: readonly Ledger[],
): Promise<Map<string, LedgerForecast>> {
  if (ledgers.length === 0) return new Map();
  const rows = await statement<Row>(
    em,
    'forecasts of ledgers',
    `select b.id, s.start_date as started, p.id as "periodId", p.end_date as end,
       (select coalesce(sum(usage), 0) from usage_total
        where balance_id = b.id and billing_period_id = p.id)::text as used,
       (select coalesce(sum(usage), 0) from usage_hour
        where balance_id = b.id and hour >= wanted.since and hour <= wanted.now)::text as recent
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as wanted (id, now, since)
     join usage_meter_balance b on b.id = wanted.id
     join subscription s on s.id = b.subscription_id
     left join billing_period p on p.subscription_id = s.id and p.start_date = s.current_billing_period_start`,
    [
      ledgers.map(({ balanceId }) => balanceId),
      ledgers.map(({ now }) => new Date(now)),
      ledgers.map(({ now }) => recentSince(now)),
    ],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    ledgers.flatMap((ledger) => {
      const row = byId.get(ledger.balanceId);
      return row ? [[ledger.balanceId, forecastOf(ledger, row)]] : [];
    }),
  );
}

function forecastOf({ now, balances, reserved }: Ledger, row: Row): LedgerForecast {
  const recent = unitsOf(row.recent);
  const held = lowest(reserved, balances.credits);
  const available = balances.credits - held + balances.overage;
  const measured = {
    now: new Date(now),
    since: recentSince(now),
    recent,
    started: new Date(row.started),
    end: row.end === null ? null : new Date(row.end),
    available,
    used: unitsOf(row.used),
  };
  return {
    ...forecast(measured),
    periodId: row.periodId,
    isBurning: recent > 0n,
    hasCredits: available > 0n,
  };
}
