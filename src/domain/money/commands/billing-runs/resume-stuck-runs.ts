import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { command } from '#domain/kernel/command.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { lockRun } from '#domain/platform/locks/lock-run.ts';

const patience = '10 minutes';
const most = 500;

/**
 * Finds stuck runs of every tenant: open runs that wait for a payment although none is pending, or that have begun
 * and are not due. Makes them due now and reports each as a failure, since a run always leaves its step with the next
 * one. Returns how many there were.
 */
export async function resumeStuckRuns(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const page = onlyPage(
    em,
    `from billing_run due
     where due.status in ('scheduled', 'started', 'awaiting_payment_confirmation') and due.due_at is null
       and due.updated_at < ?::timestamptz - interval '${patience}' and due.test_clock_id is null and ${isServed('due.organization_id')}
       and not exists (select from payment p where p.billing_run_id = due.id
         and p.status in ('processing', 'requires_confirmation', 'requires_action'))
     order by due.updated_at limit ${most}`,
    [now],
  );
  let resumed = 0;
  await forEachDue({ em, now, causeId, onFailure }, { page }, async (session, { id }) => {
    const status = await resume(session, id);
    if (!status) return;
    resumed += 1;
    const found = `Billing run ${id} was ${status} without a due time; it is due now`;
    report(session, id, new Error(found));
  });
  return resumed;
}

/** Returns the former status of the run; undefined if it has moved since. */
const resume = (session: Session, id: string) =>
  command(session, async (session) => {
    const { run, session: atLock } = await lockRun(session, id);
    const pending = { billingRunId: id, status: { $in: [...pendingPaymentStatuses] } };
    if (!run.isOpen || run.dueAt || (await atLock.em.count(Payment, pending)) > 0) return undefined;
    const { status } = run;
    // The next step counts the payments before it asks for more.
    if (status === 'awaiting_payment_confirmation') run.status = 'started';
    run.dueAt = atLock.now;
    return status;
  });
