import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../customers/customer.ts';
import { nowOf } from '../customers/read-customer.ts';
import { beginPayment } from '../payments/begin-payment.ts';
import { afresh, chargePayment, refuseTransaction } from '../payments/charge-payment.ts';
import { openSession, type Session } from '../session.ts';
import { BillingRun, openRunStatuses } from './billing-run.ts';
import { prepareInvoice } from './prepare-invoice.ts';

/**
 * Carries a run as far as it goes, in steps that are committed one by one: invoice, attempt, charge, outcome.
 * Whoever comes after a process that was killed goes on after its last step; nothing is charged twice.
 */
export async function executeBillingRun(session: Session, id: string): Promise<void> {
  if (!(await prepareInvoice(afresh(session), id))) return;
  const begun = await beginPayment(afresh(session), id);
  if (begun) await chargePayment(session, begun);
}

/** In which order runs that are due at one instant are carried out, as nobody's ids decide who is paid first. */
export const oldestDebtFirst = { billingPeriod: { startDate: 'asc' }, id: 'asc' } as const;

/**
 * Carries out what is due of a customer right now, so that nobody has to wait for the next round. What
 * cannot be carried out is left to that round: whoever has subscribed has subscribed.
 */
export async function executeDueRunsOf(session: Session, customerId: string): Promise<void> {
  refuseTransaction(session);
  try {
    const present = afresh(session);
    const { em } = present;
    const now = await nowOf(present, await em.findOneOrFail(Customer, customerId));
    const due = { customerId, dueAt: { $lte: now }, status: { $in: [...openRunStatuses] } };
    const orderBy = { dueAt: 'asc', ...oldestDebtFirst } as const;
    for (const { id } of await em.find(BillingRun, due, { orderBy })) {
      await executeBillingRun(session, id);
    }
  } catch {
    // The job that carries out what is due meets the same again, and tells of it.
  }
}

const lanes = 4;
const pageSize = 100;
const leaseSeconds = 60;

interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Carries out every run of every tenant that is due by now. A run is taken for a minute; one whose process is
 * killed comes up again after that. Test clocks take care of their own. Answers how many there were.
 */
export async function executeDueRuns(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: (error: unknown) => void,
): Promise<number> {
  let executed = 0;
  for (;;) {
    const due = await claimDueRuns(em, now);
    const queue = due.values();
    const work = async () => {
      for (const { id, ...tenant } of queue) {
        const session = openSession(em, { ...tenant, keyType: 'secret', now, causeId });
        // One that cannot be carried out must not hold up the others.
        await executeBillingRun(session, id).catch(onFailure);
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    executed += due.length;
    if (due.length < pageSize) return executed;
  }
}

/** Raw of any tenant: takes the earliest that are due; other processes skip what is being taken. */
function claimDueRuns(em: EntityManager, now: Date): Promise<Due[]> {
  return em.execute<Due[]>(
    `update billing_run set due_at = greatest(?::timestamptz, now()) + interval '${leaseSeconds} seconds'
     where id in (
       select id from billing_run where test_clock_id is null and due_at <= ?
       order by due_at, id limit ${pageSize} for update skip locked)
     returning id, organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode`,
    [now, now],
  );
}
