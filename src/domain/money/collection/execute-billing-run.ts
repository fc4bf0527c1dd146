import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { BillingRun, oldestDebtFirst, openRunStatuses } from '#domain/model/money/billing-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
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
  const customer = await afresh(session).em.findOneOrFail(Customer, customerId);
  for (;;) {
    const run = await nextDueRun(afresh(session), customer, [...done]);
    if (!run) return;
    done.add(run.id);
    try {
      await executeDueRun(session, run.id);
    } catch (error) {
      if (error instanceof AnswerNeeded) throw error;
      report(session, run.id, error);
      return;
    }
  }
}

async function nextDueRun(present: Session, customer: Customer, done: readonly string[]) {
  const { em } = present;
  const now = await nowOf(present, customer);
  const { id: customerId } = customer;
  const status = { $in: [...openRunStatuses] };
  const due = { customerId, dueAt: { $lte: now }, status, id: { $nin: [...done] } };
  const orderBy = { dueAt: 'asc', ...oldestDebtFirst } as const;
  const [run] = await em.find(BillingRun, due, { orderBy, limit: 1 });
  return run;
}
