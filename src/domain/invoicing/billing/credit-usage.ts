import {
  correctedBy,
  noteCredited,
  type UsageCredit,
} from '#domain/invoicing/crediting/note-usage.ts';
import { taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { type BilledPart, paidOf } from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { discountOf } from '#domain/model/catalog/discount-terms.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { billUsage } from './bill-usage.ts';
import { discountLine, returnedDiscounts } from './discount-lines.ts';
import { nextDiscount, useDiscount } from './discount-period.ts';
import { type Line, openInvoice, sumOf } from './open-invoice.ts';
import { type TrueUp, trueUps } from './true-ups.ts';
import { type UnbilledUsage, unbilledUsage } from './unbilled-usage.ts';
import { dueOf, lineOf, type UsageLine, usageLines } from './usage-lines.ts';

/**
 * Writes off overbilled usage on invoices for which no money has been kept. An invoice of 0 shows it, and it reduces
 * no other invoice. Returns the unbilled usage, unless a part of it was written off. `known` is that usage, where the
 * caller has read it.
 */
export async function writeOffUsage(
  session: Session,
  subscription: Subscription,
  known?: readonly UnbilledUsage[],
): Promise<readonly UnbilledUsage[] | undefined> {
  const usage = known ?? (await unbilledUsage(session, subscription));
  const lost = usage.flatMap(({ rate, parts }): UsageLine[] => {
    const of = parts.filter(({ undone }) => undone?.standing === 'lost');
    return of.length > 0 ? [lineOf(rate, of)] : [];
  });
  if (lost.length === 0) return usage;
  const description = 'Not credited: the original invoice is no longer retained';
  const worth = -sumOf(lost);
  const balancing = worth > 0 ? [{ description, quantity: 1, price: worth }] : [];
  await showOf(session, subscription, lost, balancing);
  return undefined;
}

/**
 * Credits overbilled usage of a subscription that has ended, since no later invoice corrects it. An invoice of 0
 * shows it; the amount and its tax go to the customer's credit balance. The credit is limited to the money kept for
 * the original invoice, and waits while that is unsettled. Returns whether there was a credit that covers the amount
 * due. `unbilled` is the unbilled usage, where the caller has read it.
 */
export async function creditUsage(
  session: Session,
  subscription: Subscription,
  unbilled?: readonly UnbilledUsage[],
) {
  const known = await writeOffUsage(session, subscription, unbilled);
  const most = Number.POSITIVE_INFINITY;
  const owed = known ?? (await unbilledUsage(session, subscription));
  const usage = await usageLines(session, subscription, most, undefined, owed);
  const all: CreditedLine[] = [...usage, ...(await trueUps(session, subscription, owed))];
  const back = all.filter(isCredited);
  const lines = subscription.doNotCharge ? back : all;
  const billed = subscription.doNotCharge ? usage.filter(isCredited) : usage;
  const { discounts, off, use } = await discountsOn(session, subscription, billed);
  const worth = -sumOf([...lines, ...discounts]);
  if (worth < 0 || !back.some(({ price }) => price !== 0)) return false;
  const credits = creditsFor(back, worth, off);
  const credit = credits.reduce((sum, { credit }) => sum + credit, 0);
  const description = `To the credit balance, with tax: ${moneyText(credit, subscription.currency)}`;
  const balancing = worth > 0 ? [{ description, quantity: 1, price: worth }] : [];
  const { customer, invoice } = await showOf(session, subscription, billed, [
    ...lines.filter(({ type }) => type === 'commitment'),
    ...discounts,
    ...balancing,
  ]);
  use();
  await noteCredited(session, customer, invoice, credits);
  return true;
}

/** The discounts that credited usage returns, and the next one of the subscription on the usage that is set off. */
async function discountsOn(
  session: Session,
  subscription: Subscription,
  lines: readonly UsageLine[],
) {
  const returned = returnedDiscounts(lines);
  const due = dueOf(lines);
  const redemption = due > 0 ? await nextDiscount(session, subscription) : null;
  const off = redemption ? discountOf(redemption.terms, due, subscription.currency) : 0;
  if (!redemption || off === 0) return { discounts: returned, off: 0, use: () => {} };
  return {
    discounts: [...returned, discountLine(redemption.terms, off, due)],
    off,
    use: () => useDiscount(redemption),
  };
}

/** A line of usage or of a commitment. */
type CreditedLine = UsageLine | TrueUp;

const isCredited = (line: CreditedLine) =>
  line.amount < 0 || (line.amount === 0 && line.quantity < 0);

/**
 * The credits for lines, up to `worth` before tax, with the tax of the invoice of each part. The rest of the lines is
 * set off against other lines of the same invoice. `off` is the discount on the usage that is set off.
 */
function creditsFor(back: readonly CreditedLine[], worth: number, off: number): UsageCredit[] {
  const byInvoice = new Map<string, { invoice: Invoice; amount: number }>();
  let left = worth;
  let offLeft = off;
  for (const line of back) {
    const offOfLine = Math.min(offLeft, line.type === 'commitment' ? 0 : dueOf([line]));
    offLeft -= offOfLine;
    const billed: readonly BilledPart[] = line.parts;
    const paid = billed.reduce((sum, part) => sum + paidOf(part), -offOfLine);
    let ofLine = Math.min(left, -paid);
    left -= ofLine;
    const parts = billed.flatMap(({ undone, ...part }) => (undone ? { ...part, undone } : []));
    for (const part of parts) {
      const amount = Math.min(ofLine, -paidOf(part));
      ofLine -= amount;
      const { invoice } = part.undone;
      const known = byInvoice.get(invoice.id)?.amount ?? 0;
      byInvoice.set(invoice.id, { invoice, amount: known + amount });
    }
  }
  const corrected = correctedBy(back);
  return [...byInvoice.values()].map(({ invoice, amount }) => {
    const rule = taxRuleOn(invoice);
    const credit = amountsOf(amount, rule).total;
    const all = amountsOf(corrected.get(invoice) ?? amount, rule).total;
    return { invoice, credit, setOff: all - credit };
  });
}

/** Writes an invoice of 0 that shows lines, and returns it with its customer. */
async function showOf(
  session: Session,
  subscription: Subscription,
  lines: readonly UsageLine[],
  balancing: readonly Line[],
) {
  const customer = await subscription.customer.loadOrFail();
  const period = await session.em.findOne(
    BillingPeriod,
    { subscription: subscription.id },
    { orderBy: { startDate: 'desc' } },
  );
  const heading = { purpose: 'usage_correction', status: 'open' } as const;
  const invoice = await openInvoice(
    session,
    customer,
    { ...heading, subscription, ...(period && { period }) },
    [...lines, ...balancing],
  );
  await billUsage(session, subscription, invoice, lines);
  invoice.status = 'paid';
  return { customer, invoice };
}
