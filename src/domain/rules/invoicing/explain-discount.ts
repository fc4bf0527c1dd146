import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { discountOf, sizeText } from '#domain/discounts/discount-terms.ts';
import type { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import type { Session } from '#domain/kernel/session.ts';

/** Explains the line of a discount: its terms, the amount that it reduces, and the payments that are left. */
export async function explainDiscount(
  { em }: Session,
  lineItem: InvoiceLineItem,
  { currency, purpose }: Pick<Invoice, 'currency' | 'purpose'>,
) {
  const { amount, discountBase, discountRedemptionId } = lineItem;
  const redemption = await em.findOneOrFail(DiscountRedemption, discountRedemptionId ?? '');
  const { id, discountId, code, remainingPayments } = redemption;
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
  const left =
    remainingPayments === null ? 'every payment' : `${remainingPayments} payments are left`;
  return {
    ...explained,
    steps: [`${how} = ${money(-off)}`, `${redemption.duration}: ${left}`],
    differences:
      -off === amount
        ? []
        : [`${lineItem.id}: the discount is ${money(amount)}, not ${money(-off)}`],
  };
}
