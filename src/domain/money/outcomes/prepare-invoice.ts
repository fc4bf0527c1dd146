import { ref } from '@mikro-orm/core';
import { billUsage } from '#domain/invoicing/billing/bill-usage.ts';
import type { Consolidation } from '#domain/invoicing/billing/consolidate.ts';
import { writeOffUsage } from '#domain/invoicing/billing/credit-usage.ts';
import { discountedLines } from '#domain/invoicing/billing/discount-lines.ts';
import { billOneOffs } from '#domain/invoicing/billing/one-off-lines.ts';
import { type Line, openInvoice } from '#domain/invoicing/billing/open-invoice.ts';
import { unbilledUsage } from '#domain/invoicing/billing/unbilled-usage.ts';
import { areCharged } from '#domain/invoicing/billing/usage-lines.ts';
import { amountDue, amountDueOfNew } from '#domain/invoicing/crediting/amount-paid.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { noteSetOff } from '#domain/invoicing/crediting/note-usage.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantFirstCredits } from '#domain/metering/credits/grant-first-credits.ts';
import { costOfItem } from '#domain/model/catalog/cost.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, oldestDebtFirst } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { type LockedRun, lockRun } from '#domain/platform/locks/lock-run.ts';
import { markPaid } from './mark-paid.ts';

/** An invoice that a run collects, and the amount that is due. */
export interface Prepared {
  readonly invoice: Invoice;
  readonly due: number;
  /** Whether this transaction has written it. */
  readonly isNew: boolean;
  /** Marks its usage as billed; to be called once for a new invoice, before the transaction ends. */
  readonly bill: () => Promise<void>;
}

/** Writes the invoice of a scheduled run without collecting it. Returns whether an amount is due. */
export function prepareInvoice(session: Session, runId: string): Promise<boolean> {
  return command(session, async (session) => {
    const locked = await lockRun(session, runId);
    if (locked.run.status !== 'scheduled') return locked.run.isOpen;
    const prepared = await prepareLocked(locked);
    await prepared?.bill();
    return prepared !== null;
  });
}

/**
 * Computes the charges of the period of a locked, scheduled run and writes the invoice, once for all runs of the
 * period. Earlier periods that are due come first, so that invoice numbers follow the order of the periods. A run
 * without charges ends here; then there is nothing to collect. A new invoice joins the document, if one is given.
 */
export async function prepareLocked(
  { session, run, ...locked }: Omit<LockedRun, 'consolidates'>,
  consolidation?: Consolidation,
): Promise<Prepared | null> {
  const [period, hasEarlier] = await Promise.all([
    run.billingPeriod.loadOrFail(),
    hasEarlierRuns(session, run),
  ]);
  for (const earlier of hasEarlier ? await earlierRuns(session, run, period) : []) {
    const period = await earlier.billingPeriod.loadOrFail();
    const prepared = await prepare(session, { ...locked, run: earlier, period });
    await prepared?.bill();
  }
  return prepare(session, { ...locked, run, period, consolidation });
}

/** Whether another run may be due before: nearly all subscriptions have none, and the order of several needs their periods. */
async function hasEarlierRuns(
  { em, now }: Session,
  { id, subscriptionId: subscription }: BillingRun,
) {
  return (await em.count(BillingRun, { subscription, ...dueBy(now), id: { $ne: id } })) > 0;
}

/** The runs of earlier periods that are due and have not begun. */
async function earlierRuns(
  { em, now }: Session,
  { subscriptionId: subscription }: BillingRun,
  { startDate }: BillingPeriod,
): Promise<BillingRun[]> {
  const earlier = { subscription, ...dueBy(now), billingPeriod: { startDate: { $lt: startDate } } };
  return em.find(BillingRun, earlier, { orderBy: oldestDebtFirst });
}

const dueBy = (now: Date) =>
  ({ status: 'scheduled', purpose: 'period', scheduledFor: { $lte: now } }) as const;

async function prepare(session: Session, parts: Parts): Promise<Prepared | null> {
  const { run, subscription, period } = parts;
  if (subscription.isTerminal || subscription.doNotCharge) {
    run.end('aborted', 'The subscription is not to be charged');
    return null;
  }
  const found = await invoiceFor(session, parts);
  if (!found || !(found.invoice.isPayable || found.invoice.status === 'draft')) {
    run.end('succeeded');
    await grantFirstCredits(session, subscription, period);
    return null;
  }
  const { invoice, isNew, bill } = found;
  run.invoice = ref(invoice);
  run.status = 'started';
  // It may have waited for its taxes.
  run.errorDetails = null;
  run.failsSince = null;
  const due = isNew ? amountDueOfNew(invoice) : await amountDue(session, invoice);
  // The caller settles an invoice that the credit balance has paid in full.
  if (due > 0 || invoice.creditApplied > 0) return { invoice, due, isNew, bill };
  await bill();
  await markPaid(session, { invoice, run, subscription });
  return null;
}

interface Parts {
  readonly run: BillingRun;
  readonly subscription: Subscription;
  readonly customer: Customer;
  readonly period: BillingPeriod;
  readonly consolidation?: Consolidation | undefined;
}

/** Retries do not change an existing invoice: the customer has seen it. */
async function invoiceFor(session: Session, parts: Parts) {
  const { run, subscription, customer, period, consolidation } = parts;
  const ofPeriod = { billingPeriod: period.id, purpose: 'period' as const };
  const [existing, read, charges] = await Promise.all([
    run.invoice?.loadOrFail() ?? session.em.findOne(Invoice, ofPeriod),
    unbilledUsage(session, subscription),
    chargesOf(period),
  ]);
  if (existing) return { invoice: existing, isNew: false, bill: nothing };
  const unbilled = await writeOffUsage(session, subscription, read);
  const { usage, commitments, oneOffs, lines, use } = await discountedLines(
    session,
    subscription,
    charges,
    period,
    unbilled,
  );
  // Free and credited lines appear next to charged ones, and make no invoice of their own.
  if (charges.length === 0 && !areCharged([...usage, ...commitments, ...oneOffs])) return null;
  const invoice = await openInvoice(
    session,
    customer,
    {
      purpose: 'period',
      status: 'open',
      subscription,
      period,
      billingRunId: run.id,
      consolidation,
    },
    [...charges, ...lines],
  );
  use();
  billOneOffs(session, invoice, oneOffs);
  await useCredit(session, customer, invoice);
  const bill = async () => {
    await billUsage(session, subscription, invoice, usage);
    await noteSetOff(session, customer, invoice, [...usage, ...commitments]);
  };
  return { invoice, isNew: true, bill };
}

const nothing = async () => {};

/** The charges of a period without usage: each of its items with a quantity above 0. */
async function chargesOf(period: BillingPeriod): Promise<Line[]> {
  const items = await period.items.loadItems();
  return items
    .filter(({ quantity }) => quantity > 0)
    .map((item) => {
      const { id, name, description, quantity, unitPrice, priceId } = item;
      const line = { priceId: priceId ?? null, billingPeriodItemId: id };
      if (item.pricing) {
        // The steps state the units: a line of one amount adds up for every reader.
        const { amount: price, parts: priceParts } = costOfItem(item);
        return {
          ...line,
          description: `${name}: ${quantity} units`,
          quantity: 1,
          price,
          priceParts,
        };
      }
      const text = description ? `${name} - ${description}` : name;
      return { ...line, description: text, quantity, price: unitPrice };
    });
}
