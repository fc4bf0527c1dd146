import { TaxServiceFailed } from '#domain/catalog/taxing/tax-service-failed.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { lockRun } from '#domain/platform/locks/lock-run.ts';
import { failingRunOf } from './failing-run.ts';
import { taxPauseMilliseconds } from './postpone-untaxed.ts';

const minuteMilliseconds = 60_000;

/** Whether the run of an error is to wait: its taxes are unknown, or it delays the other runs of its document. */
export const isPostponed = (error: unknown): boolean =>
  error instanceof TaxServiceFailed || failingRunOf(error) !== undefined;

/**
 * Has the scheduled run that has failed wait: 5 minutes for a tax service that gave no usable answer, and the reason is
 * stated; else a minute. That may be another run of the same document than the executed one. A run of a test clock stays
 * due: its clock does not advance past it.
 */
export function postponeFailed(session: Session, runId: string, error: unknown): Promise<void> {
  return command(session, async (session) => {
    const failed = await failedRun(session, runId, error);
    const { run, session: atLock, consolidates } = await lockRun(session, failed);
    if (run.status !== 'scheduled') return;
    const isUntaxed = error instanceof TaxServiceFailed;
    if (isUntaxed) run.errorDetails = error.message;
    if (consolidates) run.failsSince ??= atLock.now;
    const pause = isUntaxed ? taxPauseMilliseconds : minuteMilliseconds;
    if (!run.testClockId) run.dueAt = new Date(atLock.now.getTime() + pause);
  });
}

/** The run that an error is of. Customers with the same question to a tax service may share an error. */
async function failedRun({ em }: Session, runId: string, error: unknown): Promise<string> {
  const id = failingRunOf(error);
  if (!id || id === runId) return runId;
  const { customerId } = await em.findOneOrFail(BillingRun, runId);
  const other = await em.findOne(BillingRun, { id, customerId });
  return other?.id ?? runId;
}
