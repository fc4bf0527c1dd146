import type { Session } from '#domain/kernel/session.ts';
import { tenantConditions } from './conditions.ts';
import type { HistoryFile } from './history-file.ts';
import { sqlInstant, sqlText } from './sql-text.ts';
import { readHistory } from './usage-history.ts';

/** An event as digests of lines see it. */
export interface DigestedRow {
  readonly id: string;
  /** An exact decimal, as short as possible. */
  readonly amount: string;
  /** In milliseconds. */
  readonly createdAt: number;
  readonly recordedAt: number;
}

/** The events that a line bills, or that it corrects. */
interface EventsOfLine {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  /** The empty text for the time before the first period. */
  readonly billingPeriodId: string;
  readonly priceId: string;
  /** The line, and for `billed` also earlier ones that have left out events. */
  readonly lineIds: readonly string[];
  readonly which: 'billed' | 'corrected';
  /** Until when they were recorded, an instant in UTC without a zone. */
  readonly recordedUntil?: string | null;
}

/** An amount without zeros at the end of its decimal places, as SQL of DuckDB. */
export const shortAmount = `case when contains(amount, '.') then rtrim(rtrim(amount, '0'), '.') else amount end`;

/** The events of a line that are in files, in the order of creation after a place. */
export async function historyPortion(
  session: Session,
  files: readonly HistoryFile[],
  of: EventsOfLine,
  last: DigestedRow | undefined,
  limit: number,
): Promise<DigestedRow[]> {
  const lines = of.lineIds.map(sqlText).join(', ');
  const conditions = [
    ...tenantConditions(session),
    `subscription_id = ${sqlText(of.subscriptionId)}`,
    `usage_meter_id = ${sqlText(of.usageMeterId)}`,
    of.billingPeriodId
      ? `billing_period_id = ${sqlText(of.billingPeriodId)}`
      : 'billing_period_id is null',
    `price_id = ${sqlText(of.priceId)}`,
    'not after_end',
    of.which === 'billed'
      ? `(left_out_by is null or left_out_by not in (${lines}))`
      : `voided_at is not null and left_out_by in (${lines})`,
    ...(of.recordedUntil
      ? [`recorded_at <= ${sqlInstant(Date.parse(`${of.recordedUntil}Z`))}`]
      : []),
    ...(last
      ? [
          `created_at >= ${sqlInstant(last.createdAt)}`,
          `(created_at, id) > (${sqlInstant(last.createdAt)}::timestamp_ms, ${sqlText(last.id)})`,
        ]
      : []),
  ];
  return readHistory<DigestedRow & Record<string, unknown>>(
    session,
    last ? files.filter(({ lastCreatedAt }) => lastCreatedAt >= last.createdAt) : files,
    (source) => `select id, ${shortAmount} as amount, epoch_ms(created_at)::double as "createdAt",
        epoch_ms(recorded_at)::double as "recordedAt"
      from ${source} where ${conditions.join(' and ')} order by created_at, id limit ${limit}`,
  );
}
