import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { tenantConditions } from '#domain/metering/history/conditions.ts';
import { historyFilesOf } from '#domain/metering/history/history-file.ts';
import { sqlText } from '#domain/metering/history/sql-text.ts';
import { readHistory } from '#domain/metering/history/usage-history.ts';
import type { Period } from '#domain/metering/ledger/ledger.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';

/**
 * Refuses the correction of an event whose period has other events of its meter in the history: the usage without it
 * depends on them, and only the events of the database are compared. Errors: CONFLICT; SERVICE_UNAVAILABLE for files
 * that cannot be read.
 */
export async function requireOutsideHistory(
  session: Session,
  { id, subscriptionId, usageMeterId, billingPeriodId, afterEnd }: UsageEvent,
  { start }: Pick<Period, 'start'>,
): Promise<void> {
  const files = await historyFilesOf(session);
  const conditions = [
    ...tenantConditions(session),
    `subscription_id = ${sqlText(subscriptionId)}`,
    `usage_meter_id = ${sqlText(usageMeterId)}`,
    billingPeriodId
      ? `billing_period_id = ${sqlText(billingPeriodId)}`
      : 'billing_period_id is null',
    `after_end = ${afterEnd}`,
    'voided_at is null',
  ];
  const [old] = await readHistory<{ id: string }>(
    session,
    files.filter((file) => Math.max(file.lastCreatedAt, file.lastUsageDate) >= start),
    (source) => `select id from ${source} where ${conditions.join(' and ')} limit 1`,
  );
  if (!old) return;
  throw new DomainError(
    'CONFLICT',
    `Usage event ${id} counts for a period that has other events of usage meter ${usageMeterId} in the history, which corrections cannot compare: credit the invoice instead`,
    { reason: 'INVALID_STATE' },
  );
}
