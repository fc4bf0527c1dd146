import { mostAnswers } from '#domain/kernel/answer-needed.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { terminalStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { atStep, nextBillingStep } from '#domain/money/collection/billing-steps.ts';
import { prepareDocument } from '#domain/money/collection/prepare-together.ts';
import {
  rehearseBilling,
  type UpcomingInvoice,
} from '#domain/money/collection/rehearse-billing.ts';
import { collectAsPaid } from '#domain/money/outcomes/collect-as-paid.ts';
import { lockKnownCustomer } from '#domain/platform/locks/lock-customer.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { countAcceptedUsageOfCustomers } from '#domain/recording/inbox/count-accepted-usage.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { type LeftOut, leftOutOf } from './left-out.ts';

/** The boundaries and runs of each subscription, and those of a year of months. */
const mostStepsOfEach = 6;
const mostFurtherSteps = 24;
/** Bounds the time for a customer with many subscriptions, each of which is read before each step. */
const mostSteps = 1_000;

/** The next document of a customer; no row of it is stored. */
export interface UpcomingConsolidatedInvoice {
  readonly customerId: string;
  /** The present of the customer. */
  readonly asOf: Date;
  /** Null where none follows. */
  readonly document: ConsolidatedInvoice | null;
  /** Its members, in the order of their numbers. */
  readonly invoices: readonly UpcomingInvoice[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * The next document of a customer, if nothing changes until then and each charge succeeds. Billing executes all
 * boundaries and runs until it writes one, on copies of the rows and at their instants, as a test clock does. So the
 * document agrees with the one that follows. Errors: NOT_FOUND; BAD_REQUEST for a customer whose subscriptions need more
 * than 1,000 steps.
 */
export async function upcomingConsolidatedInvoice(
  session: Session,
  customerId: string,
): Promise<UpcomingConsolidatedInvoice> {
  const customer = await session.em.findOneOrFail(Customer, customerId);
  if (!(customer.consolidatesInvoices ?? (await settingsOf(session)).consolidatesInvoices)) {
    return apart(session, customer);
  }
  await countAcceptedUsageOfCustomers(session, [customerId]);
  const count = await session.em.count(Subscription, { customer: customerId });
  const copied = { customerId, subscriptionId: null, answers: mostAnswers + count };
  const { testClockId = null } = customer;
  return rehearseBilling(session, copied, (session) =>
    rehearsed(session, { id: customerId, testClockId }),
  );
}

/** The answer for a customer whose invoices are not consolidated. */
async function apart(session: Session, customer: Customer): Promise<UpcomingConsolidatedInvoice> {
  const subscriptions = await presentSubscriptions(session, customer.id);
  const leftOut = subscriptions.map(({ id, transitionDueAt }) => ({
    subscriptionId: id,
    reason: 'not_consolidated' as const,
    nextAt: transitionDueAt ?? null,
  }));
  const asOf = await nowOf(session, customer);
  return { customerId: customer.id, asOf, document: null, invoices: [], leftOut };
}

async function rehearsed(
  session: Session,
  known: { readonly id: string; readonly testClockId: string | null },
): Promise<UpcomingConsolidatedInvoice> {
  const locked = await lockKnownCustomer(session, known);
  if (!locked) throw new Error(`Customer ${known.id} has no copy`);
  const { customer, session: atLock } = locked;
  const subscriptions = await presentSubscriptions(atLock, known.id);
  const ids = subscriptions.map(({ id }) => id);
  const shown = { customerId: known.id, asOf: atLock.now, document: null, invoices: [] };
  let first: readonly LeftOut[] | undefined;
  const seen = await seenIn(atLock, known.id);
  const delayed = new Map<string, Date>();
  // One alone is followed to its next invoice only, which states why it is left out.
  const isAlone = subscriptions.filter(({ doNotCharge }) => !doNotCharge).length < 2;
  const most = mostStepsOfEach * ids.length + (isAlone ? 0 : mostFurtherSteps);
  for (let steps = 0; steps < most; steps++) {
    if (steps === mostSteps) throw tooMany(ids.length);
    const step = await nextBillingStep(atLock, ids, delayed);
    if (!step) break;
    const due = await atStep(atLock, known.testClockId, step);
    if ('boundaryOf' in step) {
      await transitionSubscription(due, step.boundaryOf);
      continue;
    }
    const { run } = step;
    await prepareDocument(due, run.id);
    const { document, written } = await newIn(due, known.id, seen);
    if (document) {
      const invoices = await membersOf(due, document, atLock.now);
      return { ...shown, document, invoices, leftOut: await leftOut(due, ids, run, invoices) };
    }
    if (run.status === 'scheduled' && run.dueAt) delayed.set(run.id, run.dueAt);
    if (written.length > 0) first ??= await leftOut(due, ids, run, []);
    if (first && isAlone) break;
    for (const invoice of written) await collectAsPaid(due, invoice.id);
  }
  return { ...shown, leftOut: first ?? (await leftOut(atLock, ids, null, [])) };

  async function leftOut(
    session: Session,
    ids: readonly string[],
    executed: BillingRun | null,
    members: readonly UpcomingInvoice[],
  ) {
    const joined = new Set(members.map(({ subscriptionId }) => subscriptionId));
    const others = ids.filter((id) => !joined.has(id));
    const where = { id: { $in: others } };
    const found = await session.em.find(Subscription, where, { orderBy, refresh: true });
    return leftOutOf({ session, customer }, found, executed);
  }
}

const tooMany = (subscriptions: number) =>
  invalid(
    'LIMIT_EXCEEDED',
    'customer',
    `has ${subscriptions} subscriptions, too many for a preview: read \`upcomingInvoice\` of each`,
  );

const orderBy = { createdAt: 'asc', position: 'asc', id: 'asc' } as const;

const presentSubscriptions = ({ em }: Session, customer: string) =>
  em.find(Subscription, { customer, status: { $nin: [...terminalStatuses] } }, { orderBy });

/** The ids of the documents and invoices that exist. */
interface Seen {
  readonly documents: Set<string>;
  readonly invoices: Set<string>;
}

async function seenIn({ em }: Session, customer: string): Promise<Seen> {
  const options = { fields: ['id'], disableIdentityMap: true } as const;
  const documents = await em.find(ConsolidatedInvoice, { customer }, options);
  const invoices = await em.find(Invoice, { customer }, options);
  const idsOf = (rows: readonly { readonly id: string }[]) => new Set(rows.map(({ id }) => id));
  return { documents: idsOf(documents), invoices: idsOf(invoices) };
}

/** The document and the invoices of periods that a step has written. */
async function newIn({ em }: Session, customer: string, { documents, invoices }: Seen) {
  await em.flush();
  const [document] = await em.find(
    ConsolidatedInvoice,
    { customer, id: { $nin: [...documents] } },
    { orderBy: { scheduledFor: 'asc', position: 'asc' }, limit: 1 },
  );
  const written = await em.find(
    Invoice,
    { customer, id: { $nin: [...invoices] } },
    { orderBy: { position: 'asc' }, refresh: true },
  );
  for (const { id } of written) invoices.add(id);
  return { document, written: written.filter(({ purpose }) => purpose === 'period') };
}

async function membersOf(
  { em }: Session,
  { id }: ConsolidatedInvoice,
  asOf: Date,
): Promise<UpcomingInvoice[]> {
  const members = await em.find(
    Invoice,
    { consolidatedInvoice: id },
    { orderBy: { position: 'asc', id: 'asc' }, refresh: true },
  );
  const found: UpcomingInvoice[] = [];
  for (const invoice of members) {
    const { subscriptionId, customerId } = invoice;
    const lines = await invoice.lineItems.loadItems({ refresh: true });
    found.push({ subscriptionId: subscriptionId ?? '', customerId, invoice, lines, asOf });
  }
  return found;
}
