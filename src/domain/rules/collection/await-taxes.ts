import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockRun } from '#domain/rules/locks/lock-run.ts';
import { taxPauseMilliseconds } from './postpone-untaxed.ts';

/**
 * Has a scheduled run wait 5 minutes for a tax service that gave no usable answer, and states the reason. A run of a test
 * clock stays due: its clock does not advance past it.
 */
export function awaitTaxes(session: Session, runId: string, reason: string): Promise<void> {
  return command(session, async (session) => {
    const { run, session: then } = await lockRun(session, runId);
    if (run.status !== 'scheduled') return;
    run.errorDetails = reason;
    if (!run.testClockId) run.dueAt = new Date(then.now.getTime() + taxPauseMilliseconds);
  });
}
