import { invoiceTerms } from '#domain/invoicing/billing/collection-terms.ts';
import {
  type BillingRun,
  oldestDebtFirst,
  BillingRun as Run,
} from '#domain/model/money/billing-run.ts';
import type { CollectionMethod } from '#domain/model/platform/collection-methods.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { chargeableMethod } from '#domain/money/methods/chargeable-method.ts';
import type { LockedRun } from '#domain/platform/locks/lock-run.ts';
import { mostWait } from './await-boundaries.ts';

/** The first runs of the customer up to the instant of a run that have not begun, in the order of their debts. */
export function firstRuns({ session, run }: LockedRun): Promise<BillingRun[]> {
  const first = { purpose: 'period', status: 'scheduled', attemptNumber: 1 } as const;
  const where = { customerId: run.customerId, ...first, scheduledFor: { $lte: run.scheduledFor } };
  const orderBy = { scheduledFor: 'asc', ...oldestDebtFirst } as const;
  return session.em.find(Run, where, { orderBy });
}

/** The terms that members of a document share. */
interface Terms {
  readonly currency: string;
  readonly collectionMethod: CollectionMethod;
  readonly daysUntilDue: number | null;
  /** The payment method to be charged; null for invoices that are sent. */
  readonly paymentMethodId: string | null;
}

const names = ['currency', 'collectionMethod', 'daysUntilDue', 'paymentMethodId'] as const;

/** A term that differs. */
export type DifferingTerm = (typeof names)[number];

const differing = (one: Terms, other: Terms): DifferingTerm | undefined =>
  names.find((name) => one[name] !== other[name]);

type Locked = Pick<LockedRun, 'session' | 'customer'>;

/**
 * The runs whose invoices are in one document with that of a run: those of its instant and its terms, in the order of
 * their debts. A run that has failed for an hour is alone.
 */
export async function runsTogether(
  locked: Locked,
  firsts: readonly BillingRun[],
  run: BillingRun,
): Promise<BillingRun[]> {
  const own = await sharedTerms(locked, firsts, run);
  if (own === null) return [run];
  const together: BillingRun[] = [];
  for (const other of firsts) {
    if (other.status !== 'scheduled' || +other.scheduledFor !== +run.scheduledFor) continue;
    const terms = other.id === run.id ? own : await sharedTerms(locked, firsts, other);
    if (terms && !differing(own, terms)) together.push(other);
  }
  return together;
}

/** The first runs of the same subscription for earlier instants, which come before. */
export const earlierOf = (firsts: readonly BillingRun[], run: BillingRun): BillingRun[] =>
  firsts.filter(
    (other) => other.subscriptionId === run.subscriptionId && other.scheduledFor < run.scheduledFor,
  );

/** The term for which the runs of two subscriptions of a customer share no document, if there is one. */
export async function differingTerm(
  locked: Locked,
  one: Subscription,
  other: Subscription,
): Promise<DifferingTerm | undefined> {
  return differing(await termsOf(locked, one), await termsOf(locked, other));
}

/** The terms of a run; null for one that shares no document. */
async function sharedTerms(
  locked: Locked,
  firsts: readonly BillingRun[],
  run: BillingRun,
): Promise<Terms | null> {
  const late = locked.session.now.getTime() - mostWait;
  const hasFailed = ({ status, failsSince }: BillingRun) =>
    status === 'scheduled' && failsSince != null && +failsSince <= late;
  if ([run, ...earlierOf(firsts, run)].some(hasFailed)) return null;
  const subscription = await run.subscription.loadOrFail();
  if (subscription.doNotCharge || subscription.isTerminal) return null;
  return termsOf(locked, subscription);
}

async function termsOf({ session, customer }: Locked, subscription: Subscription): Promise<Terms> {
  const terms = invoiceTerms(customer, subscription);
  const isSent = terms.collectionMethod === 'send_invoice';
  const method = isSent ? null : (await chargeableMethod(session, subscription)).method;
  return { currency: subscription.currency, ...terms, paymentMethodId: method?.id ?? null };
}
