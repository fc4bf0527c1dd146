import type { BillingRun } from '../billing-runs/billing-run.ts';
import { addCredit, returnCredit } from '../customers/credit-balance.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { markPaid } from '../payments/mark-paid.ts';
import type { Session } from '../session.ts';
import { applyAdjustment } from './apply-adjustment.ts';
import { releasePeriod } from './hold-period.ts';
import type { ChargedAdjustment } from './planned-item.ts';
import { replaceInvoice, restoreCredit } from './replace-invoice.ts';
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
  const adjustment = run.adjustment as ChargedAdjustment;
  const { at, items, interval, replacedInvoiceId } = adjustment;
  const customer = await invoice.customer.loadOrFail();
  if (replacedInvoiceId && !subscription.isTerminal)
    await replaceInvoice(session, replacedInvoiceId);
  await markPaid(session, { run, invoice, subscription });
  if (subscription.isTerminal) {
    addCredit(customer, invoice.total);
    await restoreCredit(session, adjustment);
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

/** Nothing of an adjustment that could not be paid for remains: its invoice is void, and it is not tried again. */
export async function dropAdjustment(
  session: Session,
  { run, invoice, subscription }: Settled,
  reason: string,
) {
  run.end('failed', reason);
  invoice.status = 'void';
  returnCredit(await invoice.customer.loadOrFail(), invoice);
  await restoreCredit(session, run.adjustment as ChargedAdjustment);
  await releasePeriod(session, subscription);
}
