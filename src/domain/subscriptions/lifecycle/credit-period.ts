import { invoicesPaidFor } from '#domain/invoicing/billing/invoices-paid-for.ts';
import { chargedPeriod, paidInPeriod } from '#domain/invoicing/billing/paid-in-period.ts';
import { creditUnused } from '#domain/invoicing/crediting/credit-invoices.ts';
import { unusedDescription } from '#domain/invoicing/crediting/unused-parts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import {
  BillingPeriod,
  type PeriodCredit,
  type Proration,
} from '#domain/model/subscriptions/billing-period.ts';
import { usedAmount } from '#domain/subscriptions/adjusting/proration.ts';
import { stretchOf } from '#domain/subscriptions/adjusting/share-period.ts';
import { pendingRests } from '#domain/subscriptions/adjusting/trial-rests.ts';

/**
 * Credits the overpaid amount of a period to a locked customer's balance, with credit notes for the invoices that have
 * been paid for it; the period counts it as unpaid from then on. Returns the credited amount, before and with tax.
 */
export async function creditPeriod(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  amount: number,
) {
  const invoices = await invoicesPaidFor(session, period);
  const note = { reason: 'plan_changed', description: unusedDescription } as const;
  const credited = await creditUnused(session, customer, invoices, amount, note);
  period.carriedAmount -= credited.amount;
  period.carriedWithTax -= credited.total;
  return credited;
}

/**
 * Credits, once, the amounts that waited for the payment of the period's invoice, also of the periods paid together
 * with it. While an adjustment that relies on them is being paid, they keep waiting; so does the part for which another
 * invoice is still unpaid. `paid` is the invoice of the period, where this transaction has paid it.
 */
export async function creditAwaited(
  session: Session,
  customer: Customer,
  first: BillingPeriod,
  paid?: Invoice,
) {
  if (first.id !== paid?.billingPeriodId || first.prepaid) {
    const { em } = session;
    await em.flush();
    const { id: billingPeriod } = await chargedPeriod(session, first);
    const status = { $in: ['paid', 'partially_refunded'] as const };
    if ((await em.count(Invoice, { billingPeriod, purpose: 'period', status })) === 0) return;
  }
  await creditFrom(session, customer, first);
}

async function creditFrom(session: Session, customer: Customer, period: BillingPeriod) {
  const { em } = session;
  const { id, subscriptionId, endDate, proration } = period;
  const status = { $in: [...openRunStatuses] };
  const adjusting = { billingPeriod: id, purpose: 'adjustment' as const, status };
  if (proration?.awaitedCredit && (await em.count(BillingRun, adjusting)) === 0) {
    await em.flush();
    await creditReceived(session, customer, period, proration.awaitedCredit);
  }
  const following = { subscription: subscriptionId, startDate: endDate, prepaid: true };
  const next = await em.findOne(BillingPeriod, { ...following, id: { $ne: id } });
  if (next) await creditFrom(session, customer, next);
}

/** Credits the part of an awaited amount by which the payments exceed the worth of its period; the rest waits on. */
async function creditReceived(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  { amount, withTax }: PeriodCredit,
) {
  const { kept, awaited } = await paidInPeriod(session, customer, period);
  const stretch = await stretchOf(period, await pendingRests(session, period));
  const over = Math.max(0, kept - usedAmount(stretch, stretch.endDate));
  const due = awaited === 0 ? amount : Math.min(amount, over);
  const { awaitedCredit: _, ...rest } = period.proration as Proration;
  const left = amount - due;
  const waiting = { amount: left, withTax: proportion(left, withTax, amount) };
  period.proration = left > 0 ? { ...rest, awaitedCredit: waiting } : rest;
  if (due > 0) await creditPeriod(session, customer, period, due);
}
