import { latestInstant } from '#domain/kernel/inputs/inputs.ts';
import { decimalText, type Units } from '#domain/kernel/values/decimal.ts';

/** The expected usage, if it continues as in the last 24 hours. */
export interface Forecast {
  /** The usage of an hour, on average of the last 24 or since the subscription began. */
  readonly burnRatePerHour: string;
  /** The expected usage at the end of the current period; null where there is none. */
  readonly projectedPeriodTotal: string | null;
  /** When credits run out; null when none are left, or nothing is used. */
  readonly runsOutAt: Date | null;
}

interface Measured {
  readonly now: Date;
  /** The start of the time of `recent`. */
  readonly since: Date;
  readonly recent: Units;
  readonly started: Date;
  /** The end of the current period. */
  readonly end: Date | null;
  readonly available: Units;
  readonly used: Units;
}

const hourMilliseconds = 3_600_000;

/** Computes a forecast from recent usage; 1 hour is its shortest basis. */
export function forecast(measured: Measured): Forecast {
  const { now, since, recent, started, end, available, used } = measured;
  const from = Math.max(since.getTime(), started.getTime());
  const elapsed = BigInt(Math.max(hourMilliseconds, now.getTime() - from));
  const usage = recent > 0n ? recent : 0n;
  const perHour = (usage * BigInt(hourMilliseconds)) / elapsed;
  const left = end ? BigInt(Math.max(0, end.getTime() - now.getTime())) : null;
  const out = usage > 0n && available > 0n ? (available * elapsed) / usage : null;
  const runsOutAt = out === null ? null : BigInt(now.getTime()) + out;
  return {
    burnRatePerHour: decimalText(perHour),
    projectedPeriodTotal: left === null ? null : decimalText(used + (usage * left) / elapsed),
    runsOutAt: runsOutAt === null || runsOutAt > latestInstant ? null : new Date(Number(runsOutAt)),
  };
}
