import { creditedByHand } from '#domain/invoicing/crediting/amount-paid.ts';
import { taxedItems, taxRuleOf, taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { isApartFromPlan } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingRun, openRunStatuses, regularPurposes } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import { sumOf } from './open-invoice.ts';

/** The payments for the plan in a period, without usage; minor units before tax. */
export interface PaidInPeriod {
  /** Paid or pending amounts; later refunds do not reduce them. */
  readonly paid: number;
  /** The amount that is paid and not refunded. */
  readonly kept: number;
  /** The same with its tax. */
  readonly keptWithTax: number;
  /** The amount that is being paid, or will be. */
  readonly awaited: number;
  readonly awaitedWithTax: number;
  /** An unpaid invoice of the period. An adjustment replaces it, and its applied credit returns to the balance. */
  readonly unpaid: Invoice | null;
}

/** The payments for a period of a locked subscription. */
export async function paidInPeriod(
  session: Session,
  customer: Customer,
  period: BillingPeriod,
): Promise<PaidInPeriod> {
  const { em } = session;
  const ofPeriod = { billingPeriod: period.id, purpose: { $in: [...regularPurposes] } };
  const [invoices, run, carried] = await Promise.all([
    em.find(
      Invoice,
      { billingPeriod: period.id },
      { populate: ['lineItems'], orderBy: oldestFirst },
    ),
    em.findOne(BillingRun, { ...ofPeriod, status: { $in: [...openRunStatuses] } }),
    carriedInto(session, customer, period),
  ]);
  const allPayments = await em.find(
    Payment,
    { invoice: invoices.map(({ id }) => id) },
    { orderBy: oldestFirst },
  );
  const { carriedAmount, paidElsewhereAmount } = period;
  let { kept, keptWithTax, awaited, awaitedWithTax } = carried;
  // It reduces a charge, and is no money that could be credited here.
  let [paid, unpaid] = [carriedAmount + (paidElsewhereAmount ?? 0), null as Invoice | null];
  for (const invoice of invoices) {
    const { total, subtotal, creditApplied } = invoice;
    const items = invoice.lineItems.getItems();
    const charges = items.filter(({ type }) => type === 'static');
    const isPlan = !items.some(isApartFromPlan);
    const lines = isPlan ? subtotal : period.worthOf(sumOf(charges));
    const payments = allPayments.filter(({ invoiceId }) => invoiceId === invoice.id);
    const received = payments
      .filter(({ status }) => status === 'succeeded')
      .reduce((sum, { amount, creditedAmount }) => sum + amount - creditedAmount, 0);
    const pending = amountOf(payments.filter(({ isPending }) => isPending));
    const credited = await creditedByHand(session, invoice);
    const net = payments.reduce((sum, { netAmount }) => sum + netAmount, creditApplied) - credited;
    const isFirstTry = run?.attemptNumber === 1 && payments.length === 0;
    const isSent = invoice.status === 'open' && invoice.isSent;
    const isOpen = isSent || (invoice.status === 'open' && invoice.purpose === 'period');
    // One that was sent is owed as it is.
    if (isOpen && !isSent && received + pending === 0 && !isFirstTry && isPlan) {
      unpaid = invoice;
      continue;
    }
    if (total === 0 && invoice.status === 'paid' && invoice.purpose === 'period') {
      // Credited usage has paid for all of it.
      paid += lines;
      kept += lines;
      keptWithTax += amountsOf(lines, taxRuleOn(invoice)).total;
      continue;
    }
    // A coming charge counts as paid; if it fails, it is retried.
    const coming = isOpen ? total - invoice.amountWaived - received - creditApplied : pending;
    paid += proportion(received + creditApplied + coming, lines, total);
    // Applied credit of an invoice returns together with it until the invoice is paid in full.
    const returnable = invoice.isPayable ? creditApplied : 0;
    awaited += proportion(coming + returnable, lines, total);
    awaitedWithTax += proportion(coming + returnable, lines, subtotal);
    kept += proportion(net - returnable, lines, total);
    keptWithTax += proportion(net - returnable, lines, subtotal);
  }
  if (run && invoices.every(({ purpose }) => purpose !== 'period')) {
    const items = await period.items.loadItems();
    const due = period.worthOf(planTotal(items));
    paid += due;
    awaited += due;
    const rule = await taxRuleOf(session, customer, taxedItems(items));
    awaitedWithTax += amountsOf(due, rule).total;
  }
  return { paid, kept, keptWithTax, awaited, awaitedWithTax, unpaid };
}

/**
 * The period in which the interval of this one began, if one payment covers both; null for a period with its own
 * charge.
 */
async function paidTogether({ em }: Session, period: BillingPeriod): Promise<BillingPeriod | null> {
  const { subscriptionId: subscription, startDate: endDate, id, prepaid } = period;
  return prepaid ? em.findOne(BillingPeriod, { subscription, endDate, id: { $ne: id } }) : null;
}

/** The period whose invoice has paid for this one: itself, or that in which a new interval was paid. */
export async function chargedPeriod(
  session: Session,
  period: BillingPeriod,
): Promise<BillingPeriod> {
  const periods = await chargedPeriods(session, period);
  return periods.at(-1) ?? period;
}

/** A period and those before it that payments cover together with it, the latest first. */
export async function chargedPeriods(
  session: Session,
  period: BillingPeriod,
): Promise<readonly BillingPeriod[]> {
  const before = await paidTogether(session, period);
  return before ? [period, ...(await chargedPeriods(session, before))] : [period];
}

/**
 * The amount carried into a period, as received and as still awaited. It comes from the payments for the period
 * before, which paid for both, and was not used in that one.
 */
export async function carriedInto(session: Session, customer: Customer, period: BillingPeriod) {
  const { carriedAmount, carriedWithTax } = period;
  const before = await paidTogether(session, period);
  if (!before) {
    return { kept: carriedAmount, keptWithTax: carriedWithTax, awaited: 0, awaitedWithTax: 0 };
  }
  const all = await paidInPeriod(session, customer, before);
  const due = period.worthOf(planTotal(await period.items.loadItems()));
  const used = Math.max(0, before.proration?.used ?? 0);
  const within = (amount: number) => Math.min(due, Math.max(0, amount - used));
  const kept = within(all.kept) - (due - carriedAmount);
  const awaited = within(all.kept + all.awaited) - within(all.kept);
  const withTax = (amount: number) => proportion(amount, carriedWithTax, carriedAmount);
  return { kept, keptWithTax: withTax(kept), awaited, awaitedWithTax: withTax(awaited) };
}

const amountOf = (payments: readonly { readonly amount: number }[]) =>
  payments.reduce((sum, { amount }) => sum + amount, 0);
