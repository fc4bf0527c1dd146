import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { discountOf, sizeText } from '#domain/discounts/discount-terms.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import type { Session } from '#domain/kernel/session.ts';

/** Explains the line of a discount: its terms, the amount that it reduces, and which of its payments this is. */
export async function explainDiscount(
  session: Session,
  lineItem: InvoiceLineItem,
  invoice: Invoice,
) {
  const { currency, purpose } = invoice;
  const { amount, discountBase, discountRedemptionId } = lineItem;
  const redemption = await session.em.findOneOrFail(DiscountRedemption, discountRedemptionId ?? '');
  const { id, discountId, code, duration } = redemption;
  const money = (minorUnits: number) => moneyText(minorUnits, currency);
  const explained = { lineItem, amount, sources: [id, discountId], usage: [] };
  const size = `${code}: ${sizeText(redemption)}`;
  if (discountBase == null) {
    const of =
      purpose === 'adjustment'
        ? `${size} of the plan, for the rest of the billing period`
        : `${size}, the share of the discount with which the credited usage was billed`;
    return { ...explained, steps: [`${of}: ${money(amount)}`], differences: [] };
  }
  const off = discountOf(redemption, discountBase, currency);
  const how =
    redemption.amountType === 'percent'
      ? `${size} of ${money(discountBase)}, rounded half up`
      : `${size}, at most ${money(discountBase)}`;
  const payments = redemption.numberOfPayments ?? 1;
  const which =
    duration === 'forever'
      ? 'every payment'
      : `payment ${await paymentOf(session, invoice, lineItem)} of ${payments}`;
  return {
    ...explained,
    steps: [`${how} = ${money(-off)}`, `${duration}: ${which}`],
    differences:
      -off === amount
        ? []
        : [`${lineItem.id}: the discount is ${money(amount)}, not ${money(-off)}`],
  };
}

/** The purposes of invoices after the end of a subscription. */
const afterEnd = ['last_usage', 'usage_correction'] as const;

/**
 * The number of the payment of a discount that an invoice belongs to, from 1. The discounted periods until its own
 * count, and invoices after the end of the subscription after all of them. It stays the same, whatever is discounted later.
 */
async function paymentOf(
  { em }: Session,
  { purpose, billingPeriod, subscription }: Invoice,
  { discountRedemptionId, position }: InvoiceLineItem,
): Promise<number> {
  if (!subscription || !billingPeriod) return 1;
  const { startDate } = await billingPeriod.loadOrFail();
  const periods = await em.count(BillingPeriod, {
    subscription: subscription.id,
    discount: { $ne: null },
    startDate: { $lte: startDate },
  });
  if (!afterEnd.some((one) => one === purpose)) return periods;
  const last = await em.count(InvoiceLineItem, {
    discountRedemptionId: String(discountRedemptionId),
    discountBase: { $ne: null },
    position: { $lte: Number(position) },
    invoice: { purpose: { $in: [...afterEnd] } },
  });
  return periods + last;
}
