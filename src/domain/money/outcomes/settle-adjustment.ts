import { returnCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { creditInvoices } from '#domain/invoicing/crediting/credit-invoices.ts';
import { addUse, movePartsBack } from '#domain/invoicing/crediting/move-prepaid.ts';
import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { emittedItem } from '#domain/model/subscriptions/adjustment-event.ts';
import type { ChargedAdjustment } from '#domain/model/subscriptions/planned-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { itemsOf } from '#domain/platform/reads/items-of.ts';
import { applyAdjustment } from '#domain/subscriptions/adjusting/apply-adjustment.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import {
  replaceInvoice,
  restoreCredit,
  stillUnpaid,
} from '#domain/subscriptions/adjusting/replace-invoice.ts';
import { creditAwaited } from '#domain/subscriptions/lifecycle/credit-period.ts';
import { resumeTransition } from '#domain/subscriptions/periods/postpone-transition.ts';
import { markPaid, settleStanding } from './mark-paid.ts';

interface Settled {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/**
 * Applies an adjustment when its invoice is paid: the locked subscription changes as of the request, then crosses the
 * boundaries that have become due. If it has ended or cannot be changed any more, the payment goes to the customer's
 * balance.
 */
export async function adjustAsPaid(session: Session, settled: Settled) {
  const { run, invoice, subscription } = settled;
  if (subscription.isTerminal) {
    await creditInstead(session, settled);
    return;
  }
  const refusal = await rehearsedRefusal(session, async (session) => {
    const { em } = session;
    await makeAsPaid(session, {
      run: await em.findOneOrFail(BillingRun, run.id),
      invoice: await em.findOneOrFail(Invoice, invoice.id),
      subscription: await em.findOneOrFail(Subscription, subscription.id),
    });
  });
  if (refusal) await refuseAsPaid(session, settled, refusalReason(refusal));
  else await makeAsPaid(session, settled);
}

/**
 * Applies an adjustment whose invoice is sent instead of charged. One that has become impossible is dropped with its
 * invoice.
 */
export async function adjustAsSent(session: Session, settled: Settled) {
  const refusal = await rehearsedRefusal(session, async (session) => {
    const { em } = session;
    await makeAsSent(session, {
      run: await em.findOneOrFail(BillingRun, settled.run.id),
      invoice: await em.findOneOrFail(Invoice, settled.invoice.id),
      subscription: await em.findOneOrFail(Subscription, settled.subscription.id),
    });
  });
  if (refusal) await dropAdjustment(session, settled, refusalReason(refusal));
  else await makeAsSent(session, settled);
}

async function makeAsSent(session: Session, { run, subscription }: Settled) {
  const { replacedInvoiceId } = run.adjustment as ChargedAdjustment;
  if (replacedInvoiceId) await replaceInvoice(session, replacedInvoiceId);
  run.end('succeeded');
  await settleStanding(session, subscription);
  await applyRequested(session, { run, subscription });
}

async function makeAsPaid(session: Session, { run, invoice, subscription }: Settled) {
  const { replacedInvoiceId } = run.adjustment as ChargedAdjustment;
  if (replacedInvoiceId) await replaceInvoice(session, replacedInvoiceId);
  await markPaid(session, { run, invoice, subscription });
  await applyRequested(session, { run, subscription });
}

/** Applies the adjustment of a run as it was requested. */
async function applyRequested(session: Session, { run, subscription }: Omit<Settled, 'invoice'>) {
  // The queries below see that the run has ended.
  await session.em.flush();
  const { at, items, interval, keepsPhases = false } = run.adjustment as ChargedAdjustment;
  subscription.resume();
  await applyAdjustment(session, subscription, {
    at: new Date(at),
    items,
    interval,
    prorates: true,
    startsPeriod: interval !== null,
    keepsPhases,
  });
}

/** Changes nothing but the balance, which gets the amount paid; an event states the reason. */
async function refuseAsPaid(session: Session, settled: Settled, reason: string) {
  const { run, invoice, subscription } = settled;
  await creditInstead(session, settled);
  const period = await run.billingPeriod.loadOrFail();
  period.carriedAmount -= invoice.subtotal;
  period.carriedWithTax -= invoice.total;
  run.end('aborted', reason);
  subscription.resume();
  const all = await itemsOf(session, subscription);
  const oldItems = all
    .filter((item) => item.isActive(session.now) && isPlanItem(item))
    .map(emittedItem);
  const newItems = run.adjustment?.items.map(emittedItem) ?? [];
  subscription.emitAdjustment({ verb: 'adjustment_canceled', oldItems, newItems, reason });
}

async function creditInstead(session: Session, settled: Settled) {
  const { invoice } = settled;
  await markPaid(session, settled);
  await session.em.flush();
  const customer = await invoice.customer.loadOrFail();
  const adjustment = settled.run.adjustment as ChargedAdjustment;
  const { returnedPrepaid = {} } = adjustment;
  const unpaid = await stillUnpaid(session, adjustment);
  const note = { reason: 'plan_changed', description: 'The change was not made' } as const;
  await creditInvoices(session, customer, [invoice], invoice.total, note, async (use, amount) => {
    const part = unpaid ? Math.min(amount, returnedPrepaid[use.creditId] ?? 0) : 0;
    if (unpaid && part > 0) await addUse(session, unpaid, use, part);
    return part;
  });
  if (unpaid) await restoreCredit(session, unpaid, adjustment);
  await creditStill(session, settled);
}

/** Credits the amounts that were received for the period while the adjustment was being paid. */
async function creditStill(session: Session, { run, invoice }: Settled) {
  const customer = await invoice.customer.loadOrFail();
  await creditAwaited(session, customer, await run.billingPeriod.loadOrFail());
}

/** Drops an adjustment whose payment failed: voids its invoice and schedules no retry. */
export async function dropAdjustment(
  session: Session,
  { run, invoice, subscription }: Settled,
  reason: string,
) {
  run.end('failed', reason);
  invoice.status = 'void';
  const adjustment = run.adjustment as ChargedAdjustment;
  const { returnedPrepaid = {} } = adjustment;
  const unpaid = await stillUnpaid(session, adjustment);
  if (unpaid) await movePartsBack(session, invoice, unpaid, returnedPrepaid);
  await returnCredit(session, await invoice.customer.loadOrFail(), invoice);
  if (unpaid) await restoreCredit(session, unpaid, adjustment);
  await creditStill(session, { run, invoice, subscription });
  await resumeTransition(session, subscription);
}
