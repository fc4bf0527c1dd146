import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { discountOf, sizeText } from '#domain/model/catalog/discount-terms.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';

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
      : redemption.endsAt && invoice.subscription
        ? `every billing period that begins before ${redemption.endsAt.toISOString()}`
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
 * The number of the payment of a discount that an invoice belongs to, from 1. The periods with it until its own
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
    discount: { redemptionId: String(discountRedemptionId) },
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
