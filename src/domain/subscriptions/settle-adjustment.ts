import { BillingRun, openRunStatuses } from '../billing-runs/billing-run.ts';
import { addCredit, returnCredit } from '../customers/credit-balance.ts';
import { Invoice } from '../invoices/invoice.ts';
import { markPaid } from '../payments/mark-paid.ts';
import type { Session } from '../session.ts';
import { applyAdjustment } from './apply-adjustment.ts';
import { releasePeriod } from './hold-period.ts';
import type { ChargedAdjustment } from './planned-item.ts';
import type { Subscription } from './subscription.ts';

interface Settled {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/**
 * What follows when the invoice of a held run that adjusts is paid: its subscription changes as of when that was
 * asked for, and goes on to what has become due meanwhile. What was paid for one that has ended meanwhile
 * goes to the customer's balance.
 */
export async function adjustAsPaid(session: Session, { run, invoice, subscription }: Settled) {
  const { at, items, interval, replacedInvoiceId } = run.adjustment as ChargedAdjustment;
  if (replacedInvoiceId && !subscription.isTerminal)
    await replaceInvoice(session, replacedInvoiceId);
  await markPaid(session, { run, invoice, subscription });
  if (subscription.isTerminal) {
    addCredit(await invoice.customer.loadOrFail(), invoice.total);
    return;
  }
  subscription.goOn();
  await applyAdjustment(session, subscription, {
    at: new Date(at),
    items,
    interval,
    prorates: true,
    startsPeriod: interval !== null,
  });
}

/** The adjustment has been paid for in its place, with all that was owed. */
async function replaceInvoice({ em }: Session, id: string) {
  const invoice = await em.findOneOrFail(Invoice, id, { refresh: true });
  if (invoice.status !== 'open') return;
  invoice.status = 'void';
  const retries = {
    billingPeriod: invoice.billingPeriodId ?? '',
    isAdjustment: false,
    status: { $in: [...openRunStatuses] },
  };
  for (const retry of await em.find(BillingRun, retries)) {
    retry.end('aborted', 'An adjustment has been paid for in its place');
  }
}

/** Nothing of an adjustment that could not be paid for remains: its invoice is void, and it is not tried again. */
export async function dropAdjustment(
  session: Session,
  { run, invoice, subscription }: Settled,
  reason: string,
) {
  run.end('failed', reason);
  invoice.status = 'void';
  returnCredit(await invoice.customer.loadOrFail(), invoice);
  await releasePeriod(session, subscription);
}
