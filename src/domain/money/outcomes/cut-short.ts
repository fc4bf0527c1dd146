import { hasPaid } from '#domain/invoicing/billing/has-paid.ts';
import { sumOf } from '#domain/invoicing/billing/open-invoice.ts';
import { taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { isApartFromPlan } from '#domain/model/invoicing/invoice-line-item.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * Whether an invoice charges for a plan in a period that its subscription has ended in. Periods that were delivered
 * in full, usage and one-off charges are owed even after the end of the subscription.
 */
export async function isCutShort(
  invoice: Invoice,
  subscription: Pick<Subscription, 'isTerminal' | 'canceledAt'> | null,
): Promise<boolean> {
  const { canceledAt } = subscription ?? {};
  const end = invoice.billingPeriodEndDate;
  if (!subscription?.isTerminal || !canceledAt || !end || end <= canceledAt) return false;
  return (await sharesOf(invoice)).plan > 0;
}

/** The shares of the plan and of the rest in an invoice, each after its discount, in minor units before tax. */
async function sharesOf(invoice: Invoice) {
  const lines = await invoice.lineItems.loadItems();
  if (!lines.some(isApartFromPlan)) return { others: 0, plan: invoice.subtotal };
  const charges = sumOf(lines.filter(({ type }) => type === 'static'));
  const period = await invoice.billingPeriod?.loadOrFail();
  const plan = period?.worthOf(charges) ?? charges;
  return { others: invoice.subtotal - plan, plan };
}

/**
 * The amounts to return to the customer of a paid invoice whose period was cut short, in minor units: all but the
 * usage and the one-off charges. The payment is refunded, and the balance gets applied credit and the usage that the
 * invoice has set off.
 */
export async function returnsOfCutShort(invoice: Invoice, { amount }: Pick<Payment, 'amount'>) {
  const { others, plan } = await sharesOf(invoice);
  const rule = taxRuleOn(invoice);
  const back = invoice.total - amountsOf(Math.max(0, others), rule).total;
  const refund = Math.min(amount, back);
  return {
    refund,
    credit: Math.min(invoice.creditApplied, back - refund),
    corrections: others < 0 ? amountsOf(plan, rule).total - invoice.total : 0,
  };
}

/**
 * Drops an unpaid invoice whose period was cut short. Where it charges nothing else it is voided. Otherwise it
 * stays open and is not retried. If dunning has ended the subscription, it is written off.
 */
export async function dropCutShort(
  session: Session,
  invoice: Invoice,
  subscription: Pick<Subscription, 'id' | 'paidUntil' | 'cancellationReason'>,
) {
  const { others } = await sharesOf(invoice);
  const wasDelivered = (await hasPaid(session, subscription)) || (await chargesUsage(invoice));
  const gaveUp = subscription.cancellationReason === 'non_payment';
  if (wasDelivered && gaveUp) await writeOffInvoice(session, invoice, 'uncollectible');
  else if (!wasDelivered || others <= 0) await writeOffInvoice(session, invoice, 'void');
  else invoice.status = 'open';
}

/** Whether an invoice charges for usage, which was delivered even where nothing was ever paid. */
export async function chargesUsage(invoice: Invoice): Promise<boolean> {
  const lines = await invoice.lineItems.loadItems();
  return lines.some(({ type, amount }) => type === 'usage' && amount > 0);
}
