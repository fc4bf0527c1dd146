import { invoicesPaidFor } from '#domain/invoicing/billing/invoices-paid-for.ts';
import { chargedPeriod } from '#domain/invoicing/billing/paid-in-period.ts';
import { creditUnused } from '#domain/invoicing/crediting/credit-invoices.ts';
import { unusedDescription } from '#domain/invoicing/crediting/unused-parts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';

/**
 * Credits the overpaid amount of a period to a locked customer's balance, with credit notes for the invoices that have
 * been paid for it; the period counts it as unpaid from then on.
 */
export async function creditPeriod(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  amount: number,
) {
  const invoices = await invoicesPaidFor(session, period);
  const note = { reason: 'plan_changed', description: unusedDescription } as const;
  const { total } = await creditUnused(session, customer, invoices, amount, note);
  period.carriedAmount -= amount;
  period.carriedWithTax -= total;
}

/**
 * Credits, once, the amounts that waited for the payment of the period's invoice, also of the periods paid together
 * with it. While an adjustment that relies on them is being paid, they keep waiting. `paid` is the invoice of the
 * period, where this transaction has paid it.
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
    const { awaitedCredit, ...rest } = proration;
    period.proration = rest;
    await em.flush();
    await creditPeriod(session, customer, period, awaitedCredit.amount);
  }
  const following = { subscription: subscriptionId, startDate: endDate, prepaid: true };
  const next = await em.findOne(BillingPeriod, { ...following, id: { $ne: id } });
  if (next) await creditFrom(session, customer, next);
}
