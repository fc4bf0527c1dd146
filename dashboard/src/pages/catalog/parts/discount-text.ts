import { moneyText, numberText } from '../../../parts/texts/formats.ts';
import type { Discount } from '../types.ts';

/** The reduction of a discount, such as "12.5 % of 3 payments". */
export function discountText(discount: Discount): string {
  const { amountType, amount, currency, duration, numberOfPayments, numberOfMonths } = discount;
  const reduction =
    amountType === 'percent' || !currency ? `${numberText(amount)} %` : moneyText(amount, currency);
  if (duration === 'once') return `${reduction} of one payment`;
  if (duration === 'forever') return `${reduction} of each payment`;
  if (duration === 'number_of_months')
    return `${reduction} for ${countText(numberOfMonths ?? 0, 'month')}`;
  return `${reduction} of ${countText(numberOfPayments ?? 0, 'payment')}`;
}

const countText = (count: number, unit: string) =>
  `${numberText(count)} ${count === 1 ? unit : `${unit}s`}`;
