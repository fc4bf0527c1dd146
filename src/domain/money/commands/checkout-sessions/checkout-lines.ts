import { nextDiscount } from '#domain/invoicing/billing/discount-period.ts';
import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { type TaxedCustomer, taxedItems, taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountOfItem, type ChargedItem, itemTermsOf } from '#domain/model/catalog/cost.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { owedBy, unchargedPeriod } from '#domain/subscriptions/lifecycle/charge-owed.ts';
import { type KeptCycle, proratedItems } from '#domain/subscriptions/periods/kept-cycle.ts';
import { addDays } from '#domain/subscriptions/periods/utc-calendar.ts';
import { discountOn, type OrderDiscount, redeemedOn } from './order-discount.ts';
import { keptCycleOf } from './quoted-cycle.ts';

export interface SummaryLine {
  readonly description: string;
  readonly quantity: number;
  readonly amount: number;
  /** The price, by which the line is taxed. */
  readonly priceId?: string | null | undefined;
}

/** The name of an item, and the model by which its amount follows from a quantity. */
export interface PricedLine {
  readonly name: string;
  readonly unitPrice: number;
  readonly pricing: Pricing;
}

/** The order of a checkout session, in minor units before discount and tax. */
export interface Order {
  /** The lines of the first payment. */
  readonly lines: readonly SummaryLine[];
  /** The amount of each later payment of a subscription. */
  readonly later: number;
  readonly currency: string;
  readonly interval: Interval | null;
  readonly trialDays: number;
  readonly discount: OrderDiscount | null;
  /** The items whose amounts follow from a model. */
  readonly priced: readonly PricedLine[];
  /** Whether the lines are amounts due, which include tax and discount. */
  readonly isDue: boolean;
}

interface Item extends ChargedItem {
  readonly name: string;
  readonly priceId: string | null;
}

/** The order of a product. Null where nothing is bought. */
export async function productOrder(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer | null,
): Promise<Order | null> {
  const price = await checkout.price?.loadOrFail();
  const product = await price?.product?.loadOrFail();
  if (!price || !product) return null;
  const { quantity, outputName, discountId } = checkout;
  const { currency, intervalUnit, intervalCount } = price;
  const item = {
    ...itemTermsOf(price),
    name: outputName ?? product.name,
    quantity,
    priceId: price.id,
  };
  const interval = intervalUnit ? { unit: intervalUnit, count: intervalCount ?? 1 } : null;
  const trialDays = price.trialPeriodDays ?? 0;
  const hasTrial = trialDays > 0 && !(await usedTrial(session, customer));
  const kept =
    customer && !hasTrial ? await keptCycleOf(session, checkout, customer, interval) : null;
  const discount = discountId ? await session.em.findOneOrFail(Discount, discountId) : null;
  const now = customer ? await nowOf(session, customer) : session.now;
  const first = kept?.start ?? addDays(now, hasTrial ? trialDays : 0);
  return {
    lines: linesOf([item], kept),
    priced: pricedLines([item]),
    later: amountOfItem(item),
    currency,
    interval,
    trialDays: hasTrial ? trialDays : 0,
    discount:
      discount && discountOn(discount, now, { first, anchor: kept?.anchor ?? first, interval }),
    isDue: false,
  };
}

function linesOf(items: readonly Item[], kept: KeptCycle | null): SummaryLine[] {
  const charged = kept && kept.from > kept.start ? proratedItems(items, kept) : items;
  return charged.map(({ name, ...item }, at) => ({
    description: 'description' in item ? `${name} - ${item.description}` : name,
    quantity: item.quantity,
    amount: amountOfItem(item),
    priceId: items[at]?.priceId,
  }));
}

const pricedLines = (items: readonly Item[]): PricedLine[] =>
  items.flatMap(({ name, unitPrice, pricing }) => (pricing ? [{ name, unitPrice, pricing }] : []));

/** Whether a customer has had a trial of a paid subscription. */
async function usedTrial({ em }: Session, customer: Customer | null): Promise<boolean> {
  if (!customer) return false;
  const earlier = { customer: customer.id, trialEnd: { $ne: null }, doNotCharge: false };
  return (await em.find(Subscription, earlier)).some(({ isCharged }) => isCharged);
}

/** The order of a session that activates a subscription: its first period, or all that it owes. */
export async function activationOrder(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer,
  facts: TaxedCustomer,
): Promise<Order | null> {
  const target = await session.em.findOne(Subscription, checkout.targetSubscriptionId ?? '');
  if (!target || target.isTerminal) return null;
  const { currency, name } = target;
  const order = {
    ...{ currency, trialDays: 0, discount: null, interval: null, later: 0 },
    priced: [],
  };
  if (target.currentBillingPeriodEnd)
    return { ...order, lines: await owedLines(session, target, facts), isDue: true };
  const all = await pricedItemsOf(session, target);
  const active = all.filter((item) => isPlanItem(item) && item.isActive(session.now));
  const items = active.map((item) => ({
    name: item.name ?? name ?? 'Subscription',
    unitPrice: item.unitPrice,
    quantity: item.quantity,
    pricing: item.pricing ?? null,
    priceId: item.priceId ?? null,
  }));
  const interval = target.interval
    ? { unit: target.interval, count: target.intervalCount ?? 1 }
    : null;
  const kept = await keptCycleOf(session, checkout, customer, interval, target);
  const now = await nowOf(session, customer);
  const first = kept?.start ?? now;
  const redemption = await nextDiscount(session, target, now);
  const discount =
    redemption && redeemedOn(redemption, { first, anchor: kept?.anchor ?? first, interval });
  const lines = linesOf(items, kept);
  return {
    ...{ currency, trialDays: 0, lines, later: planTotal(items), interval, discount },
    priced: pricedLines(items),
    isDue: false,
  };
}

/** The amounts due of a subscription: those of its open invoices, and of its period if that has no invoice yet. */
async function owedLines(session: Session, target: Subscription, facts: TaxedCustomer) {
  const lines: SummaryLine[] = [];
  for (const invoice of await session.em.find(Invoice, owedBy(target))) {
    const amount = await amountDue(session, invoice);
    lines.push({ description: `Invoice ${invoice.invoiceNumber}`, quantity: 1, amount });
  }
  const period = await unchargedPeriod(session, target);
  const items = (await period?.items.loadItems()) ?? [];
  const worth = period?.worthOf(planTotal(items)) ?? 0;
  if (worth === 0 || target.isFreePlan) return lines;
  const taxed = [{ amount: worth, taxedAs: taxedItems(items) }];
  const rule = await taxRuleOf(session, facts, taxed, target.currency);
  const { total: amount } = amountsOf(worth, rule);
  return [...lines, { description: target.name ?? 'Subscription', quantity: 1, amount }];
}
