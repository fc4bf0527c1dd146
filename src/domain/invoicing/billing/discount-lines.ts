import type { Session } from '#domain/kernel/session.ts';
import {
  type DiscountTerms,
  discountOf,
  discountText,
} from '#domain/model/catalog/discount-terms.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { nextDiscount, useDiscount } from './discount-period.ts';
import { type OneOffLine, oneOffLines, pendingOneOffs } from './one-off-lines.ts';
import type { Line } from './open-invoice.ts';
import { sumOf } from './open-invoice.ts';
import { chargedBy, fittingTrueUps, type TrueUp, trueUps } from './true-ups.ts';
import { type UnbilledUsage, unbilledUsage } from './unbilled-usage.ts';
import { dueOf, type UsageLine, usageLines } from './usage-lines.ts';

/** The lines of an invoice besides its charges, and the discount that they use. */
export interface DiscountedLines {
  readonly usage: readonly UsageLine[];
  /** The differences to commitments; discounts do not reduce them. */
  readonly commitments: readonly TrueUp[];
  /** The one-off charges; discounts do not reduce them either. */
  readonly oneOffs: readonly OneOffLine[];
  /** Usage, commitments, one-off charges, and what discounts change. */
  readonly lines: readonly Line[];
  /** Counts the payment of the discount, once the invoice is written. */
  readonly use: () => void;
}

/**
 * The usage lines that a locked subscription owes, next to charges, and the line of its discount. The discount is that
 * of the period, else the next one of the subscription. It reduces the charges and the usage that is billed; usage that
 * is credited returns the share of the discount with which it was billed. Differences to commitments, and one-off charges,
 * have no discount.
 * `unbilled` is the unbilled usage, if it was read.
 */
export async function discountedLines(
  session: Session,
  subscription: Subscription,
  charges: readonly Line[],
  period: BillingPeriod | null,
  unbilled?: readonly UnbilledUsage[],
): Promise<DiscountedLines> {
  const { currency } = subscription;
  const charged = sumOf(charges);
  const all = unbilled ?? (await unbilledUsage(session, subscription));
  const isDiscounted = !period?.discount && (charged > 0 || all.length > 0);
  const [redemption, pending] = await Promise.all([
    isDiscounted ? nextDiscount(session, subscription, period?.startDate) : null,
    pendingOneOffs(session, subscription),
  ]);
  const terms = period?.discount ?? redemption?.terms ?? null;
  const on = (base: number) => (terms ? discountOf(terms, base, currency) : 0);
  const owed = await trueUps(session, subscription, all);
  // Corrected usage counts less for a commitment: the difference that is due has room for it.
  const committed = chargedBy(owed);
  const oneOffs = oneOffLines(session, pending, charged + committed);
  const undiscounted = committed + sumOf(oneOffs);
  const others = charged + undiscounted;
  const discountOn = (base: number) => on(base - undiscounted);
  const usage = await usageLines(session, subscription, others, discountOn, all);
  const base = charged + dueOf(usage);
  const off = on(base);
  const discounts = [
    ...returnedDiscounts(usage),
    ...(terms && off > 0 ? [discountLine(terms, off, base)] : []),
  ];
  const commitments = fittingTrueUps(owed, others + sumOf([...usage, ...discounts]));
  return {
    usage,
    commitments,
    oneOffs,
    lines: [...usage, ...commitments, ...oneOffs, ...discounts],
    use: () => {
      if (off > 0 && redemption) useDiscount(redemption, period ?? undefined);
    },
  };
}

/** The line of an invoice that shows a discount on an amount. */
export const discountLine = (
  terms: DiscountTerms,
  off: number,
  base: number | null = null,
  description = discountText(terms),
): Line => ({
  type: 'discount',
  description,
  quantity: 1,
  price: -off,
  discountBase: base,
  discountRedemptionId: terms.redemptionId,
});

/** The lines that return the discounts with which credited usage was billed: it is credited as it was paid. */
export function returnedDiscounts(usage: readonly UsageLine[]): Line[] {
  const shares = usage
    .flatMap(({ parts }) => parts)
    .flatMap(({ discount }) => (discount?.amount ? [discount] : []));
  return [...Map.groupBy(shares, ({ redemptionId }) => redemptionId)].map(
    ([discountRedemptionId, of]) => ({
      type: 'discount',
      description: `Discount ${of[0]?.code} on the credited usage`,
      quantity: 1,
      price: of.reduce((sum, { amount }) => sum + amount, 0),
      discountRedemptionId,
    }),
  );
}
