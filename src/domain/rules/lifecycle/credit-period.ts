import { BillingPeriod, type PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import { BillingRun, openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import type { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { addCredit } from '#domain/rules/invoicing/credit-balance.ts';
import { chargedPeriod } from '#domain/rules/invoicing/paid-in-period.ts';

/**
 * Credits the overpaid amount of a period to a locked customer's balance; the period counts it as unpaid from then
 * on.
 */
export function creditPeriod(
  customer: Customer,
  period: BillingPeriod,
  { amount, withTax }: PeriodCredit,
) {
  period.carriedAmount -= amount;
  period.carriedWithTax -= withTax;
  addCredit(customer, withTax);
}

/**
 * Credits, once, the amounts that waited for the payment of the period's invoice, also of the periods paid together
 * with it. While an adjustment that relies on them is being paid, they keep waiting.
 */
export async function creditAwaited(session: Session, customer: Customer, first: BillingPeriod) {
  const { em } = session;
  await em.flush();
  const { id: billingPeriod } = await chargedPeriod(session, first);
  const status = { $in: ['paid', 'partially_refunded'] as const };
  if ((await em.count(Invoice, { billingPeriod, purpose: 'period', status })) === 0) return;
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
    creditPeriod(customer, period, awaitedCredit);
  }
  const following = { subscription: subscriptionId, startDate: endDate, prepaid: true };
  const next = await em.findOne(BillingPeriod, { ...following, id: { $ne: id } });
  if (next) await creditFrom(session, customer, next);
}
