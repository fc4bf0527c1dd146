import {
  type BillingRun,
  oldestDebtFirst,
  BillingRun as Run,
} from '#domain/billing-runs/billing-run.ts';
import type { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { invoiceTerms } from '#domain/rules/invoicing/collection-terms.ts';
import { type Consolidation, consolidate } from '#domain/rules/invoicing/consolidate.ts';
import type { LockedRun } from '#domain/rules/locks/lock-run.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { chargeableMethod } from './chargeable-method.ts';
import { type Prepared, prepareLocked } from './prepare-invoice.ts';

const minute = 60_000;
/** How long a run waits for a boundary that is not crossed, in milliseconds. */
const mostWait = 60 * minute;

/**
 * Has a run wait whose invoice may be consolidated, while another subscription of its customer has not crossed a
 * boundary of that instant or before. It waits for an hour at most, so that a boundary that cannot be crossed does not
 * stop the others. The first period never waits, because its subscriber may be present. Test clocks cross all boundaries
 * of an instant before its runs. Returns whether it waits.
 */
export async function awaitBoundaries({ session, run, subscription, consolidates }: LockedRun) {
  if (!consolidates || run.testClockId || run.attemptNumber > 1) return false;
  const { em, now } = session;
  if (run.awaitsSince && now.getTime() - run.awaitsSince.getTime() >= mostWait) return false;
  const period = await run.billingPeriod.loadOrFail();
  if (period.startDate <= subscription.startDate) return false;
  const uncrossed = {
    customer: run.customerId,
    id: { $ne: subscription.id },
    transitionDueAt: { $lte: run.scheduledFor },
  };
  if ((await em.count(Subscription, uncrossed)) === 0) return false;
  run.awaitsSince ??= now;
  run.dueAt = new Date(now.getTime() + minute);
  return true;
}

/**
 * Writes the invoice of a locked, scheduled run as `prepareLocked` does. Where invoices are consolidated, the transaction
 * writes those of all first runs of the customer up to its instant. So no document is written in parts.
 */
export async function prepareTogether(locked: LockedRun): Promise<Prepared | null> {
  const { run, session, customer, consolidates } = locked;
  if (!consolidates || run.attemptNumber > 1) return prepareLocked(locked);
  let own: Prepared | null = null;
  const instants = Map.groupBy(await firstRuns(locked), ({ scheduledFor }) => +scheduledFor);
  for (const runs of instants.values()) {
    const documents = await documentsOf(session, customer, runs);
    for (const each of runs) {
      // An earlier period of the same subscription comes first, and may have been prepared with this one.
      if (each.status !== 'scheduled') continue;
      const subscription = await each.subscription.loadOrFail();
      const parts = { ...locked, run: each, subscription };
      const prepared = await prepareLocked(parts, documents.get(each));
      await prepared?.bill();
      if (each.id === run.id && prepared) own = { ...prepared, bill: async () => {} };
    }
  }
  return own;
}

/** The first runs of the customer up to the instant of a run that have not begun, in the order of their debts. */
function firstRuns({ session, run }: LockedRun): Promise<BillingRun[]> {
  const first = { purpose: 'period', status: 'scheduled', attemptNumber: 1 } as const;
  const where = { customerId: run.customerId, ...first, scheduledFor: { $lte: run.scheduledFor } };
  const orderBy = { scheduledFor: 'asc', ...oldestDebtFirst } as const;
  return session.em.find(Run, where, { orderBy });
}

/** The documents that runs of one instant share: a run that shares its terms with no other one has none. */
async function documentsOf(session: Session, customer: Customer, runs: readonly BillingRun[]) {
  const documents = new Map<BillingRun, Consolidation>();
  if (runs.length < 2) return documents;
  const terms = new Map<BillingRun, string>();
  for (const run of runs) {
    const subscription = await run.subscription.loadOrFail();
    const { doNotCharge, isTerminal } = subscription;
    if (!doNotCharge && !isTerminal) terms.set(run, await termsOf(session, customer, subscription));
  }
  for (const alike of Map.groupBy(terms.keys(), (run) => terms.get(run)).values()) {
    const [first, second] = alike;
    if (!first || !second) continue;
    const document = consolidate(session, customer, first.scheduledFor);
    for (const run of alike) documents.set(run, document);
  }
  return documents;
}

/** The terms that members of a document share: currency, collection, due date and the payment method to be charged. */
async function termsOf(session: Session, customer: Customer, subscription: Subscription) {
  const terms = invoiceTerms(customer, subscription);
  const { collectionMethod, daysUntilDue } = terms;
  const isSent = collectionMethod === 'send_invoice';
  const method = isSent ? null : (await chargeableMethod(session, subscription)).method;
  return [subscription.currency, collectionMethod, daysUntilDue, method?.id].join(' ');
}
