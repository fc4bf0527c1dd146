import { abortRetries } from '#domain/invoicing/billing/abort-retries.ts';
import { invoicesPaidFor } from '#domain/invoicing/billing/invoices-paid-for.ts';
import { sumOf } from '#domain/invoicing/billing/open-invoice.ts';
import {
  carriedInto,
  chargedPeriods,
  paidInPeriod,
} from '#domain/invoicing/billing/paid-in-period.ts';
import { amountDue, amountPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { creditUnused } from '#domain/invoicing/crediting/credit-invoices.ts';
import { refundUnused } from '#domain/invoicing/crediting/refund-invoices.ts';
import {
  type UnusedPart,
  unusedDescription,
  unusedPart,
} from '#domain/invoicing/crediting/unused-parts.ts';
import { writeCreditNote } from '#domain/invoicing/crediting/write-credit-note.ts';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { isApartFromPlan } from '#domain/model/invoicing/invoice-line-item.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { CancellationCredit } from '#domain/model/subscriptions/cancellation-credit.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { fairAmount } from '#domain/subscriptions/adjusting/proration.ts';
import { discountedChange, stretchOf } from '#domain/subscriptions/adjusting/share-period.ts';
import { pendingRests } from '#domain/subscriptions/adjusting/trial-rests.ts';

/** The amounts that the end of a subscription returns, in minor units with tax. */
export interface Returned {
  /** The amount that the credit balance gets. */
  readonly credited: number;
  /** The amount that refunds return. */
  readonly refunded: number;
  /** The amount by which open invoices are reduced. */
  readonly writtenOff: number;
}

export const nothingReturned: Returned = { credited: 0, refunded: 0, writtenOff: 0 };

const note = {
  reason: 'period_cut_short',
  description: unusedDescription,
} as const;

/**
 * The worth of the running period of a locked subscription that ends now: that of a change to a plan which costs nothing.
 * Null where nothing is charged for the rest of it. Call it before the items end.
 */
export async function worthAtEnd(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod | null,
): Promise<number | null> {
  const { now } = session;
  if (!period || !subscription.isCharged || subscription.status === 'incomplete') return null;
  if (period.trialPeriod || now < period.startDate || now >= period.endDate) return null;
  const all = await pricedItemsOf(session, subscription);
  const items = all.filter((item) => item.isActive(now) && isPlanItem(item));
  const change = { oldTotal: planTotal(items), newTotal: 0, startsPeriod: false };
  const stretch = await stretchOf(period, await pendingRests(session, period));
  return fairAmount(stretch, now, discountedChange(period, change));
}

/**
 * Returns the amount by which the charges for a period exceed its worth, for a locked subscription that ends. Open
 * invoices are reduced first. The rest was paid: `refund` returns it through the payments as far as they can be refunded,
 * and the credit balance gets what is left.
 */
export async function returnUnused(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  { worth, credit }: { readonly worth: number; readonly credit: CancellationCredit },
): Promise<Returned> {
  if (credit === 'none') return nothingReturned;
  if (period.proration?.awaitedCredit) {
    // An earlier credit that waits for the payment is a part of this one.
    const { awaitedCredit: _, ...rest } = period.proration;
    period.proration = rest;
  }
  const writtenOff = await reduceOpen(session, customer, period, worth);
  await session.em.flush();
  const { kept } = await paidInPeriod(session, customer, period);
  const over = Math.max(0, kept - worth);
  if (over === 0) return { ...nothingReturned, writtenOff };
  const invoices = await invoicesPaidFor(session, period);
  const charged = new Set<string | null>(await chargedIds(session, period));
  const own = invoices.filter(({ billingPeriodId }) => charged.has(billingPeriodId));
  const refunded =
    credit === 'refund'
      ? await refundUnused(session, customer, own, over, note)
      : { amount: 0, total: 0 };
  const rest = over - refunded.amount;
  const credited = await creditUnused(session, customer, invoices, rest, note);
  period.carriedAmount -= credited.amount;
  period.carriedWithTax -= credited.total;
  // The difference to a commitment is reckoned from these credit notes.
  await session.em.flush();
  return { credited: credited.total, refunded: refunded.total, writtenOff };
}

/** The ids of the periods whose invoices have paid for this one. */
const chargedIds = async (session: Session, period: BillingPeriod) =>
  (await chargedPeriods(session, period)).map(({ id }) => id);

/** Reduces the open invoices of a period by what exceeds its worth. Returns the amount with tax. */
async function reduceOpen(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  worth: number,
): Promise<number> {
  const open = await openInvoices(session, customer, period);
  const due = open.reduce((sum, { amount }) => sum + amount, 0);
  if (due === 0) return 0;
  const paid = await paidInPeriod(session, customer, period);
  const applied = open.reduce((sum, { applied }) => sum + applied, 0);
  let left = Math.min(due, Math.max(0, paid.kept + applied + due - worth));
  let reduced = 0;
  for (const { invoice, amount } of open) {
    const most = await amountDue(session, invoice);
    const part = await unusedPart(invoice, Math.min(left, amount), most);
    if (!part) continue;
    left -= part.amount;
    reduced += part.total;
    await reduce(session, customer, part);
  }
  return reduced;
}

async function reduce(session: Session, customer: Customer, { invoice, of, total }: UnusedPart) {
  const paid = await amountPaid(session, invoice);
  const isAll = total === (await amountDue(session, invoice));
  if (isAll && paid === 0) {
    await writeOffInvoice(session, invoice, 'void');
  } else {
    const settle = (writtenOff: number) => ({ writtenOff });
    writeCreditNote(session, customer, invoice, { ...note, of, settle });
    if (isAll) invoice.status = 'paid';
  }
  if (isAll) await abortRetries(session, invoice, 'Nothing is to be paid any more');
  await session.em.flush();
}

/** An open invoice, with the amount that is due on it for the plan, before tax. */
interface Open {
  readonly invoice: Invoice;
  readonly amount: number;
  /** The part of the plan that applied credit has paid, which returns with the invoice until that is paid in full. */
  readonly applied: number;
}

/** The open invoices that charge for a period, the newest first, without those that are being paid. */
async function openInvoices(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
): Promise<Open[]> {
  const { em } = session;
  const paid = await chargedPeriods(session, period);
  const invoices = await em.find(
    Invoice,
    {
      billingPeriod: { $in: paid.map(({ id }) => id) },
      purpose: { $in: ['period', 'adjustment'] },
      status: 'open',
    },
    { populate: ['lineItems'], orderBy: { createdAt: 'desc', position: 'desc' } },
  );
  // Earlier periods need the rest of what is awaited for them.
  let { awaited: room } = await carriedInto(session, customer, period);
  const within = (amount: number) => {
    const part = Math.min(amount, room);
    room -= part;
    return part;
  };
  const open: Open[] = [];
  for (const invoice of invoices) {
    const { subtotal, total, creditApplied } = invoice;
    const items = invoice.lineItems.getItems();
    const isPlan = !items.some(isApartFromPlan);
    const charges = sumOf(items.filter(({ type }) => type === 'static'));
    const lines = isPlan ? subtotal : Math.max(0, period.worthOf(charges));
    const due = proportion(await amountDue(session, invoice), lines, total);
    const paidByCredit = proportion(creditApplied, lines, total);
    const isOwn = invoice.billingPeriodId === period.id;
    const amount = isOwn ? due : within(due);
    const applied = isOwn ? paidByCredit : within(paidByCredit);
    if (amount > 0) open.push({ invoice, amount, applied });
  }
  return open;
}
