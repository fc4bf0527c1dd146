import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';
import { later } from '#domain/kernel/columns.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { openRunStatuses } from '#domain/model/money/billing-run.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { beginPayment } from './begin-payment.ts';
import { chargePayment } from './charge-payment.ts';
import { isPostponed, postponeFailed } from './postpone-failed.ts';

/**
 * Executes a run as far as possible, in steps that are committed one by one: invoice and attempt, charge, outcome. After
 * a crash another process resumes after the last step; nothing is charged twice.
 */
export async function executeBillingRun(session: Session, id: string): Promise<void> {
  const step = () => beginPayment(afresh(session), id);
  const first = await step();
  const begun = first === 'prepared' ? await step() : first;
  if (begun && begun !== 'prepared') await chargePayment(session, begun);
}

/** Executes a due run, which waits where its invoice cannot be written yet. Errors: those of the run. */
export async function executeDueRun(session: Session, id: string): Promise<void> {
  try {
    await executeBillingRun(session, id);
  } catch (error) {
    if (isPostponed(error)) await postponeFailed(afresh(session), id, error);
    throw error;
  }
}

/**
 * Executes the due runs of a customer now instead of in the next round, including those that become due with them. A
 * failed run is reported and stays due for that round: the subscription itself remains.
 */
export async function executeDueRunsOf(session: Session, customerId: string): Promise<void> {
  refuseTransaction(session);
  const done = new Set<string>();
  for (;;) {
    const id = await nextDueRun(afresh(session), customerId, [...done]);
    if (id === undefined) return;
    done.add(id);
    try {
      await executeDueRun(session, id);
    } catch (error) {
      if (error instanceof AnswerNeeded) throw error;
      report(session, id, error);
      return;
    }
  }
}

/** The due run of a customer that comes first: that with the earliest due time, then that of the oldest debt. */
async function nextDueRun(
  { em, pricingModelId, now, clock }: Session,
  customerId: string,
  done: readonly string[],
): Promise<string | undefined> {
  const present = later(clock?.latest, now);
  const [run] = await statement<{ id: string }>(
    em,
    'next due run',
    `select r.id from billing_run r
     join billing_period p on p.id = r.billing_period_id join subscription s on s.id = r.subscription_id
     left join test_clock c on c.id = r.test_clock_id
     where r.pricing_model_id = $1 and r.customer_id = $2 and r.due_at <= coalesce(c.frozen_time, $3)
       and r.status = any($4::text[]) and r.id <> all($5::text[])
     order by r.due_at, p.start_date, s.created_at, s.is_free_plan desc, s.position, r.created_at, r.attempt_number,
       r.position, r.id limit 1`,
    [pricingModelId, customerId, present, openRunStatuses, done],
  );
  return run?.id;
}
