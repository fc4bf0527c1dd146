import { moneyText } from '../money.ts';
import type { CatalogPrice } from './use-catalog.ts';

/** How often a price is charged: "a month", "every 3 months", or "once". */
export function intervalText({
  intervalUnit,
  intervalCount,
}: Pick<CatalogPrice, 'intervalUnit' | 'intervalCount'>): string {
  if (!intervalUnit) return 'once';
  const count = intervalCount ?? 1;
  return count === 1 ? `a ${intervalUnit}` : `every ${count} ${intervalUnit}s`;
}

/** A price in one line, such as "$20.00 a month" or "$0.05 per 1,000". */
export function priceText(price: CatalogPrice, locale?: string): string {
  const { type, model, unitPrice, currency } = price;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const units = price.usageEventsPerUnit ?? 1;
  const often = type === 'usage' ? '' : ` ${intervalText(price)}`;
  const amount = moneyText(unitPrice, currency, locale);
  switch (model) {
    case 'per_unit':
      return type === 'usage' ? `${amount} per ${number(units)}` : `${amount}${often}`;
    case 'flat':
      return type === 'usage' ? `${amount} ${intervalText(price)}` : `${amount}${often}`;
    case 'package':
      return `${amount} for each started ${number((price.packageSize ?? 1) * units)}${often}`;
    case 'percentage':
      return `${number(price.percentage ?? 0)} % of the usage`;
    default:
      return `By quantity${often}`;
  }
}

/** Whether a customer has the price without a checkout. */
export const isFree = ({ model, unitPrice }: CatalogPrice): boolean =>
  (model === 'per_unit' || model === 'flat') && unitPrice === 0;
