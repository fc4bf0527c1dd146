import { Customer } from '#domain/customers/customer.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { discountOf, sizeText } from '#domain/discounts/discount-terms.ts';
import { type Amounts, amountsOf, type TaxRule } from '#domain/invoices/tax.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/prices/price.ts';
import { taxRuleOf } from '#domain/rules/invoicing/tax-rule.ts';
import { pricedItemsOf } from '#domain/rules/reads/items-of.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { CheckoutSession } from './checkout-session.ts';

interface SummaryLine {
  readonly description: string;
  readonly quantity: number;
  readonly amount: number;
}

/** The cost of a checkout session, in minor units, as its invoice will state it. */
export interface CheckoutSummary {
  readonly lines: readonly SummaryLine[];
  readonly currency: string;
  /** The discount; null without one. */
  readonly discount: { readonly description: string; readonly amount: number } | null;
  /** The cost of the first payment. */
  readonly amounts: Amounts;
  /** For a subscription whose discount ends: the payments that it reduces, and the cost of each later one. */
  readonly later: { readonly after: number; readonly amounts: Amounts } | null;
  readonly tax: TaxRule | null;
  /** For a subscription: how often the amount is charged. */
  readonly interval: Interval | null;
  /** For a subscription: the days before the first charge. */
  readonly trialDays: number;
}

/** The summary of the order; null where nothing is bought. */
export async function checkoutSummary(
  session: Session,
  checkout: CheckoutSession,
): Promise<CheckoutSummary | null> {
  const customer = checkout.customerId
    ? await session.em.findOneOrFail(Customer, checkout.customerId)
    : null;
  // A customer who is not known yet has no tax rule of its own.
  const tax = await taxRuleOf(session, customer ?? ({ taxType: null } as Customer));
  const bought =
    checkout.type === 'activate_subscription'
      ? await activated(session, checkout)
      : await product(session, checkout, customer);
  if (!bought) return null;
  const sum = bought.lines.reduce((total, { amount }) => total + amount, 0);
  const discount = await discountOn(session, checkout, sum, bought.currency);
  const ends = discount && bought.interval && discount.payments;
  return {
    ...bought,
    discount,
    tax,
    amounts: amountsOf(sum - (discount?.amount ?? 0), tax),
    later: ends ? { after: ends, amounts: amountsOf(sum, tax) } : null,
  };
}

type Bought = Omit<CheckoutSummary, 'tax' | 'amounts' | 'later' | 'discount'>;

async function discountOn(
  session: Session,
  { discountId }: CheckoutSession,
  sum: number,
  currency: string,
) {
  if (!discountId) return null;
  const discount = await session.em.findOneOrFail(Discount, discountId);
  const description = `Discount ${discount.code}: ${sizeText(discount)}`;
  const { duration, numberOfPayments } = discount;
  const payments = duration === 'once' ? 1 : (numberOfPayments ?? null);
  return { description, amount: discountOf(discount, sum, currency), payments };
}

async function product(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer | null,
): Promise<Bought | null> {
  const price = await checkout.price?.loadOrFail();
  const product = await price?.product?.loadOrFail();
  if (!price || !product) return null;
  const { quantity, outputName } = checkout;
  const { currency, unitPrice, intervalUnit, intervalCount } = price;
  const description = outputName ?? product.name;
  const trialDays = price.trialPeriodDays ?? 0;
  const hasTrial = trialDays > 0 && !(await usedTrial(session, customer));
  return {
    lines: [{ description, quantity, amount: unitPrice * quantity }],
    currency,
    interval: intervalUnit ? { unit: intervalUnit, count: intervalCount ?? 1 } : null,
    trialDays: hasTrial ? trialDays : 0,
  };
}

/** Whether a customer has had a trial of a paid subscription. */
async function usedTrial({ em }: Session, customer: Customer | null): Promise<boolean> {
  if (!customer) return false;
  const earlier = { customer: customer.id, trialEnd: { $ne: null }, doNotCharge: false };
  return (await em.find(Subscription, earlier)).some(({ isCharged }) => isCharged);
}

async function activated(
  session: Session,
  { targetSubscriptionId: id }: CheckoutSession,
): Promise<Bought | null> {
  const target = await session.em.findOne(Subscription, id ?? '');
  if (!target) return null;
  const items = await pricedItemsOf(session, target);
  const active = items.filter((item) => item.isActive(session.now) && item.price);
  return {
    lines: active.map(({ name, quantity, unitPrice }) => ({
      description: name ?? target.name ?? 'Subscription',
      quantity,
      amount: unitPrice * quantity,
    })),
    currency: target.currency,
    interval: target.interval ? { unit: target.interval, count: target.intervalCount ?? 1 } : null,
    trialDays: 0,
  };
}
