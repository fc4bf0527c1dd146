import { moneyText, numberText } from '../../parts/formats.ts';
import type { Discount } from './types.ts';

/** The reduction of a discount, such as "20 % of 3 payments". */
export function discountText(discount: Discount): string {
  const { amountType, amount, currency, duration, numberOfPayments } = discount;
  const reduction =
    amountType === 'percent' || !currency ? `${numberText(amount)} %` : moneyText(amount, currency);
  if (duration === 'once') return `${reduction} of one payment`;
  if (duration === 'forever') return `${reduction} of each payment`;
  return `${reduction} of ${numberText(numberOfPayments ?? 0)} payments`;
}
