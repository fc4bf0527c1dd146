import type { Taxable } from '#domain/catalog/taxing/tax-engine.ts';
import { prepaidAt } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import type { Session } from '#domain/kernel/session.ts';
import { discounted, discountOf, sizeText } from '#domain/model/catalog/discount-terms.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { type Amounts, amountsOf, type TaxRule } from '#domain/model/catalog/tax.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { EnteredTaxFacts } from '#domain/model/platform/parties.ts';
import {
  activationOrder,
  type Order,
  type PricedLine,
  productOrder,
  type SummaryLine,
} from './checkout-lines.ts';
import { taxFactsOf } from './entered-tax-facts.ts';

/** Some successive payments of the same amount. */
export interface Payments {
  /** Their number; null for all further ones. */
  readonly count: number | null;
  readonly amounts: Amounts;
}

/** The cost of a checkout session, in minor units, as its invoice will state it. */
export interface CheckoutSummary {
  readonly lines: readonly SummaryLine[];
  /** The items whose amounts follow from a model, such as tiers. */
  readonly priced: readonly PricedLine[];
  readonly currency: string;
  /** The discount; null without one. */
  readonly discount: {
    readonly code: string;
    /** Its percentage or amount, for people. */
    readonly size: string;
    readonly amount: number;
  } | null;
  /** The cost of the first payment. */
  readonly amounts: Amounts;
  /** The part of it that the customer's credit balance pays. */
  readonly credit: number;
  /** The payments in their order: several where the first period or a discount differs from what follows. */
  readonly schedule: readonly Payments[];
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
  entered: EnteredTaxFacts | null = null,
): Promise<CheckoutSummary | null> {
  const { customerId, type } = checkout;
  const customer = customerId ? await session.em.findOneOrFail(Customer, customerId) : null;
  const facts = taxFactsOf(checkout, customer, entered);
  const order =
    customer && type === 'activate_subscription'
      ? await activationOrder(session, checkout, customer, facts)
      : await productOrder(session, checkout, customer);
  if (!order) return null;
  const taxed = order.isDue ? null : taxedLines(order);
  const tax = taxed && (await taxRuleOf(session, facts, taxed, order.currency));
  const { lines, priced, currency, interval, trialDays } = order;
  const sum = sumOf(lines);
  const { terms } = order.discount ?? {};
  const schedule = scheduleOf(order, tax);
  const amounts = (schedule[0] as Payments).amounts;
  return {
    ...{ lines, priced, currency, interval, trialDays, schedule, tax, amounts },
    discount: terms
      ? {
          code: terms.code,
          size: sizeText(terms),
          amount: discountOf(terms, sum, currency),
        }
      : null,
    credit:
      trialDays > 0 || !customer ? 0 : Math.min(await creditOf(session, customer), amounts.total),
  };
}

/** The amounts to which a customer agrees: the one that is paid now, and each of the payments. */
export const agreedAmounts = (summary: CheckoutSummary): string =>
  [dueNow(summary), ...summary.schedule.map(({ amounts }) => amounts.total)].join(' ');

/** The amount that is paid with the form. */
export const dueNow = ({ trialDays, amounts, credit }: CheckoutSummary): number =>
  trialDays > 0 ? 0 : amounts.total - credit;

/** The amount that prepaid credits and the credit balance of a customer can pay now. */
const creditOf = async (session: Session, customer: Customer) =>
  customer.creditBalance + (await prepaidAt(session, customer));

/** The first payment as its invoice will be taxed: the lines of the order, and its discount. */
function taxedLines({ lines, currency, discount }: Order): Taxable[] {
  const reduction = discount ? discountOf(discount.terms, sumOf(lines), currency) : 0;
  const taxed: Taxable[] = lines.map(({ amount, priceId }) => ({ amount, priceId }));
  return reduction === 0 ? taxed : [...taxed, { amount: -reduction, isSpread: true }];
}

const sumOf = (lines: readonly SummaryLine[]) =>
  lines.reduce((total, { amount }) => total + amount, 0);

/** The payments of an order: the first one, those that the discount reduces, too, and the further ones. */
function scheduleOf(order: Order, tax: TaxRule | null): Payments[] {
  const { lines, later, currency, interval, discount } = order;
  const costOf = (amount: number, isReduced: boolean) =>
    amountsOf(discounted(isReduced && discount ? discount.terms : null, amount, currency), tax);
  const first = { count: 1, amounts: costOf(sumOf(lines), true) };
  if (!interval) return [first];
  const reduced = discount ? discount.payments : 0;
  const further =
    reduced === null
      ? [{ count: null, amounts: costOf(later, true) }]
      : [
          { count: Math.max(0, reduced - 1), amounts: costOf(later, true) },
          { count: null, amounts: costOf(later, false) },
        ];
  return [first, ...further].reduce<Payments[]>(added, []);
}

/** Adds payments to those before, together with the last ones where they have the same amount. */
function added(before: Payments[], next: Payments): Payments[] {
  if (next.count === 0) return before;
  const last = before.at(-1);
  if (last?.amounts.total !== next.amounts.total) return [...before, next];
  const count = next.count === null ? null : (last.count ?? 0) + next.count;
  return [...before.slice(0, -1), { ...last, count }];
}
