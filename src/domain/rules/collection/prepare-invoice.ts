import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun, oldestDebtFirst } from '#domain/billing-runs/billing-run.ts';
import type { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { billUsage } from '#domain/rules/invoicing/bill-usage.ts';
import { useCredit } from '#domain/rules/invoicing/credit-balance.ts';
import { writeOffUsage } from '#domain/rules/invoicing/credit-usage.ts';
import { discountedLines } from '#domain/rules/invoicing/discount-lines.ts';
import { noteSetOff } from '#domain/rules/invoicing/note-usage.ts';
import { type Line, openInvoice } from '#domain/rules/invoicing/open-invoice.ts';
import { areCharged } from '#domain/rules/invoicing/usage-lines.ts';
import { grantFirstCredits } from '#domain/rules/ledger/grant-first-credits.ts';
import { lockRun } from '#domain/rules/locks/lock-run.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { markPaid } from './mark-paid.ts';

/**
 * The first step of a run: computes the charges of its period and writes the invoice, once for all runs of the
 * period. Earlier periods that are due come first, so that invoice numbers follow the order of the periods. A run
 * without charges ends here. Returns whether an amount is due.
 */
export function prepareInvoice(session: Session, runId: string): Promise<boolean> {
  return command(session, async (session) => {
    const { run, session: then, ...locked } = await lockRun(session, runId);
    if (run.status !== 'scheduled') return run.isOpen;
    const period = await run.billingPeriod.loadOrFail();
    for (const earlier of await earlierRuns(then, run, period)) {
      const period = await earlier.billingPeriod.loadOrFail();
      await prepare(then, { ...locked, run: earlier, period });
    }
    return prepare(then, { ...locked, run, period });
  });
}

/** The runs of earlier periods that are due and have not begun. */
async function earlierRuns(
  { em, now }: Session,
  { id, subscriptionId: subscription }: BillingRun,
  { startDate }: BillingPeriod,
): Promise<BillingRun[]> {
  const due = { status: 'scheduled', purpose: 'period', scheduledFor: { $lte: now } } as const;
  // Nearly all subscriptions have no other run, and the order of several needs their periods.
  const others = await em.find(BillingRun, { subscription, ...due });
  if (others.every((other) => other.id === id)) return [];
  const earlier = { subscription, ...due, billingPeriod: { startDate: { $lt: startDate } } };
  return em.find(BillingRun, earlier, { orderBy: oldestDebtFirst });
}

async function prepare(session: Session, parts: Parts): Promise<boolean> {
  const { run, subscription, period } = parts;
  if (subscription.isTerminal || subscription.doNotCharge) {
    run.end('aborted', 'The subscription is not to be charged');
    return false;
  }
  const invoice = await invoiceFor(session, parts);
  if (!invoice || !(invoice.isPayable || invoice.status === 'draft')) {
    run.end('succeeded');
    await grantFirstCredits(session, subscription, period);
    return false;
  }
  run.invoice = invoice as never;
  run.status = 'started';
  // The next step settles an invoice that the credit balance has paid in full.
  if (invoice.creditApplied > 0) return true;
  if (!(await isPaid(session, invoice))) return true;
  await markPaid(session, { invoice, run, subscription });
  return false;
}

interface Parts {
  readonly run: BillingRun;
  readonly subscription: Subscription;
  readonly customer: Customer;
  readonly period: BillingPeriod;
}

/** Retries do not change an existing invoice: the customer has seen it. */
async function invoiceFor(session: Session, { run, subscription, customer, period }: Parts) {
  const ofPeriod = { billingPeriod: period.id, purpose: 'period' as const };
  const existing = await session.em.findOne(Invoice, ofPeriod);
  if (existing) return existing;
  await writeOffUsage(session, subscription);
  const charges = await chargesOf(period);
  const { usage, lines, use } = await discountedLines(session, subscription, charges, period);
  // Free and credited lines appear next to charged ones, and make no invoice of their own.
  if (charges.length === 0 && !areCharged(usage)) return null;
  const invoice = await openInvoice(
    session,
    customer,
    { purpose: 'period', status: 'open', subscription, period, billingRunId: run.id },
    [...charges, ...lines],
  );
  use();
  await billUsage(session, subscription, invoice, usage);
  await noteSetOff(session, customer, invoice, usage);
  useCredit(customer, invoice);
  return invoice;
}

/** The charges of a period without usage: each of its items with a quantity above 0. */
async function chargesOf(period: BillingPeriod): Promise<Line[]> {
  const items = await period.items.loadItems();
  return items
    .filter(({ quantity }) => quantity > 0)
    .map(({ id, name, description, quantity, unitPrice, priceId }) => ({
      description: description ? `${name} - ${description}` : name,
      quantity,
      price: unitPrice,
      priceId: priceId ?? null,
      billingPeriodItemId: id,
    }));
}
