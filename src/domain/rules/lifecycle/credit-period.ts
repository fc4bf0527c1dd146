import { BillingPeriod, type PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import { BillingRun, openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import type { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { creditInvoices } from '#domain/rules/invoicing/credit-invoices.ts';
import { chargedPeriod } from '#domain/rules/invoicing/paid-in-period.ts';

/**
 * Credits the overpaid amount of a period to a locked customer's balance, with credit notes for the invoices that have
 * been paid for it; the period counts it as unpaid from then on.
 */
export async function creditPeriod(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
  { amount, withTax }: PeriodCredit,
) {
  period.carriedAmount -= amount;
  period.carriedWithTax -= withTax;
  const invoices = await invoicesPaidFor(session, period);
  await creditInvoices(session, customer, invoices, withTax, {
    reason: 'plan_changed',
    description: 'Unused part of the billing period',
  });
}

/** The invoices of a period, then the earlier ones of its subscription, the newest first. */
async function invoicesPaidFor({ em }: Session, { id, subscriptionId }: BillingPeriod) {
  const invoices = await em.find(
    Invoice,
    { subscription: subscriptionId, status: { $nin: ['draft', 'void', 'uncollectible'] } },
    { orderBy: { createdAt: 'desc', position: 'desc' } },
  );
  const [own, others] = [true, false].map((isOwn) =>
    invoices.filter(({ billingPeriodId }) => (billingPeriodId === id) === isOwn),
  );
  return [...(own ?? []), ...(others ?? [])];
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
    await creditPeriod(session, customer, period, awaitedCredit);
  }
  const following = { subscription: subscriptionId, startDate: endDate, prepaid: true };
  const next = await em.findOne(BillingPeriod, { ...following, id: { $ne: id } });
  if (next) await creditFrom(session, customer, next);
}
