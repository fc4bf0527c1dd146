import type { EntityManager } from '@mikro-orm/postgresql';
import { BillingRun, oldestDebtFirst, openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import { Customer } from '#domain/customers/customer.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import { nowOf } from '#domain/rules/reads/read-customer.ts';
import { beginPayment } from './begin-payment.ts';
import { chargePayment } from './charge-payment.ts';
import { prepareInvoice } from './prepare-invoice.ts';

/**
 * Executes a run as far as possible, in steps that are committed one by one: invoice, attempt, charge, outcome. After
 * a crash another process resumes after the last step; nothing is charged twice.
 */
export async function executeBillingRun(session: Session, id: string): Promise<void> {
  if (!(await prepareInvoice(afresh(session), id))) return;
  const begun = await beginPayment(afresh(session), id);
  if (begun) await chargePayment(session, begun);
}

/**
 * Executes the due runs of a customer now instead of in the next round, including those that become due with them. A
 * failed run is reported and stays due for that round: the subscription itself remains.
 */
export async function executeDueRunsOf(session: Session, customerId: string): Promise<void> {
  refuseTransaction(session);
  const done = new Set<string>();
  for (;;) {
    const run = await nextDueRun(afresh(session), customerId, [...done]);
    if (!run) return;
    done.add(run.id);
    try {
      await executeBillingRun(session, run.id);
    } catch (error) {
      report(session, run.id, error);
      return;
    }
  }
}

async function nextDueRun(present: Session, customerId: string, done: readonly string[]) {
  const { em } = present;
  const now = await nowOf(present, await em.findOneOrFail(Customer, customerId));
  const status = { $in: [...openRunStatuses] };
  const due = { customerId, dueAt: { $lte: now }, status, id: { $nin: [...done] } };
  const orderBy = { dueAt: 'asc', ...oldestDebtFirst } as const;
  const [run] = await em.find(BillingRun, due, { orderBy, limit: 1 });
  return run;
}

const workers = 4;

const pageSize = 100;

const leaseSeconds = 60;

interface Due extends DueRow {
  readonly customerId: string;
}

/**
 * Executes every due run of every tenant. A process leases a run for 1 minute; after a crash the run is due again
 * then. Runs on test clocks are excluded. Returns how many there were.
 */
export function executeDueRuns(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const page = () => claimDueRuns(em, now);
  // Due runs of one customer are executed in their order; different customers do not wait for each other.
  const keyOf = ({ customerId }: Due) => customerId;
  return forEachDue(
    { em, now, causeId, onFailure },
    { page, pageSize, workers, keyOf },
    (session, { id }) => executeBillingRun(session, id),
  );
}

/** Leases the earliest due runs of any tenant, in their order; other processes skip runs that are being leased. */
function claimDueRuns(em: EntityManager, now: Date): Promise<Due[]> {
  return em.execute<Due[]>(
    `with taken as (update billing_run set due_at = greatest(?::timestamptz, now()) + interval '${leaseSeconds} seconds'
     where id in (
       select id from billing_run where test_clock_id is null and due_at <= ?
       order by due_at, id limit ${pageSize} for update skip locked)
     returning id, customer_id, organization_id, pricing_model_id, livemode, billing_period_id, scheduled_for, created_at)
     select taken.id, taken.customer_id as "customerId", taken.organization_id as "organizationId",
       taken.pricing_model_id as "pricingModelId", taken.livemode
     from taken join billing_period p on p.id = taken.billing_period_id
     join subscription s on s.id = p.subscription_id
     order by taken.scheduled_for, p.start_date, s.created_at, s.is_free_plan desc, taken.created_at, taken.id`,
    [now, now],
  );
}
