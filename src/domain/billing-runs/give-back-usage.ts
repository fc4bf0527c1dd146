import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { addCredit } from '../customers/credit-balance.ts';
import { Invoice } from '../invoices/invoice.ts';
import { type Line, openInvoice, sumOf } from '../invoices/open-invoice.ts';
import { amountsOf, type TaxRule } from '../invoices/tax.ts';
import { taxRuleOn } from '../invoices/tax-rule.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { billUsage } from './bill-usage.ts';
import { usageLines } from './usage-lines.ts';

/** On these nothing is kept that could be given back. */
const unkept: readonly string[] = ['void', 'uncollectible', 'refunded'];

/**
 * Writes down what a subscription was billed too much on invoices on which nothing is kept: an invoice of 0 shows it,
 * and it makes no other one less.
 */
export async function writeOffUsage(session: Session, subscription: Subscription): Promise<void> {
  const lines = await usageLines(session, subscription, Number.POSITIVE_INFINITY);
  const back = lines.filter(({ quantity, price }) => quantity < 0 && price > 0);
  if (back.length === 0) return;
  const invoices = await invoicesOf(session, back);
  const lost = back.filter(({ balanceId, priceId }) =>
    unkept.includes(invoices.get(keyOf(balanceId, priceId))?.status ?? ''),
  );
  if (lost.length === 0) return;
  const description = 'Not given back: the invoice that it stood on has not been paid';
  await showOf(session, subscription, [...lost, { description, quantity: 1, price: -sumOf(lost) }]);
}

/**
 * Gives back what a subscription that has ended was billed too much for usage, since no later invoice makes up for
 * it: an invoice of 0 shows it, and the customer has it, with the tax that it was billed with, to its credit. What
 * stood on an invoice that was not to be paid in the end, or has been refunded, brings nothing. Answers whether
 * there was more to be given back than there was to be paid.
 */
export async function giveBackUsage(session: Session, subscription: Subscription) {
  await writeOffUsage(session, subscription);
  const all = await usageLines(session, subscription, Number.POSITIVE_INFINITY);
  const back = all.filter(({ quantity }) => quantity < 0);
  const lines = subscription.doNotCharge ? back : all;
  const worth = -sumOf(lines);
  if (worth < 0 || !back.some(({ price }) => price > 0)) return false;
  const invoices = await invoicesOf(session, back);
  const byRule = new Map<string, { rule: TaxRule | null; amount: number }>();
  let left = worth;
  for (const line of back) {
    const amount = Math.min(left, -sumOf([line]));
    left -= amount;
    const invoice = invoices.get(keyOf(line.balanceId, line.priceId));
    const rule = invoice ? taxRuleOn(invoice) : null;
    const known = byRule.get(JSON.stringify(rule)) ?? { rule, amount: 0 };
    byRule.set(JSON.stringify(rule), { rule, amount: known.amount + amount });
  }
  const credit = [...byRule.values()].reduce(
    (sum, { rule, amount }) => sum + amountsOf(amount, rule).total,
    0,
  );
  const description = `To the credit balance, with tax: ${credit}`;
  const balancing = worth > 0 ? [{ description, quantity: 1, price: worth }] : [];
  const customer = await showOf(session, subscription, [...lines, ...balancing]);
  addCredit(customer, credit);
  return true;
}

/** Writes an invoice of 0 that shows lines, and answers its customer. */
async function showOf(session: Session, subscription: Subscription, lines: readonly Line[]) {
  const customer = await subscription.customer.loadOrFail();
  const period = await session.em.findOne(
    BillingPeriod,
    { subscription: subscription.id },
    { orderBy: { startDate: 'desc' } },
  );
  const heading = { type: 'subscription', status: 'open', isAdjustment: true } as const;
  const invoice = await openInvoice(
    session,
    customer,
    { ...heading, subscription, ...(period && { period }) },
    lines,
  );
  await billUsage(session, subscription, invoice);
  invoice.status = 'paid';
  return customer;
}

const keyOf = (balanceId: string | undefined, priceId: string | null | undefined) =>
  `${balanceId} ${priceId}`;

/** The latest invoice on which stands what lines give back, by ledger and price. */
async function invoicesOf({ em }: Session, lines: readonly Line[]) {
  const rows = await statement<{ balanceId: string; priceId: string; invoiceId: string }>(
    em,
    'invoices of usage',
    `select distinct on (o.balance_id, o.price_id) o.balance_id as "balanceId", o.price_id as "priceId",
       line.invoice_id as "invoiceId"
     from owed_usage o
     join owed_usage billed on billed.balance_id = o.balance_id and billed.price_id = o.price_id
       and billed.billing_period_id = o.billing_period_id and billed.quantity > 0
     join invoice_line_item line on line.id = billed.invoice_line_item_id
     where o.invoice_line_item_id is null and o.quantity < 0 and o.balance_id = any($1::text[])
     order by o.balance_id, o.price_id, line.created_at desc, line.position desc, line.id`,
    [lines.map(({ balanceId }) => balanceId)],
  );
  const invoices = await em.find(Invoice, { id: { $in: rows.map(({ invoiceId }) => invoiceId) } });
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return new Map(
    rows.map(({ balanceId, priceId, invoiceId }) => [
      keyOf(balanceId, priceId),
      byId.get(invoiceId),
    ]),
  );
}
