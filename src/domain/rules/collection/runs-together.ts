import {
  type BillingRun,
  oldestDebtFirst,
  BillingRun as Run,
} from '#domain/billing-runs/billing-run.ts';
import { invoiceTerms } from '#domain/rules/invoicing/collection-terms.ts';
import type { LockedRun } from '#domain/rules/locks/lock-run.ts';
import { mostWait } from './await-boundaries.ts';
import { chargeableMethod } from './chargeable-method.ts';

/** The first runs of the customer up to the instant of a run that have not begun, in the order of their debts. */
export function firstRuns({ session, run }: LockedRun): Promise<BillingRun[]> {
  const first = { purpose: 'period', status: 'scheduled', attemptNumber: 1 } as const;
  const where = { customerId: run.customerId, ...first, scheduledFor: { $lte: run.scheduledFor } };
  const orderBy = { scheduledFor: 'asc', ...oldestDebtFirst } as const;
  return session.em.find(Run, where, { orderBy });
}

/**
 * The runs whose invoices are in one document with that of a run: those of its instant and its terms, in the order of
 * their debts. A run that has failed for an hour is alone.
 */
export async function runsTogether(
  locked: LockedRun,
  firsts: readonly BillingRun[],
  run: BillingRun,
): Promise<BillingRun[]> {
  const own = await termsOf(locked, firsts, run);
  if (own === null) return [run];
  const together: BillingRun[] = [];
  for (const other of firsts) {
    if (other.status !== 'scheduled' || +other.scheduledFor !== +run.scheduledFor) continue;
    if (other.id === run.id || (await termsOf(locked, firsts, other)) === own) together.push(other);
  }
  return together;
}

/** The first runs of the same subscription for earlier instants, which come before. */
export const earlierOf = (firsts: readonly BillingRun[], run: BillingRun): BillingRun[] =>
  firsts.filter(
    (other) => other.subscriptionId === run.subscriptionId && other.scheduledFor < run.scheduledFor,
  );

/**
 * The terms that members of a document share: currency, collection, due date and the payment method to be charged. Null
 * for a run that shares no document.
 */
async function termsOf(
  { session, customer }: LockedRun,
  firsts: readonly BillingRun[],
  run: BillingRun,
): Promise<string | null> {
  const late = session.now.getTime() - mostWait;
  const hasFailed = ({ status, failsSince }: BillingRun) =>
    status === 'scheduled' && failsSince != null && +failsSince <= late;
  if ([run, ...earlierOf(firsts, run)].some(hasFailed)) return null;
  const subscription = await run.subscription.loadOrFail();
  if (subscription.doNotCharge || subscription.isTerminal) return null;
  const { collectionMethod, daysUntilDue } = invoiceTerms(customer, subscription);
  const isSent = collectionMethod === 'send_invoice';
  const method = isSent ? null : (await chargeableMethod(session, subscription)).method;
  return [subscription.currency, collectionMethod, daysUntilDue, method?.id].join(' ');
}
