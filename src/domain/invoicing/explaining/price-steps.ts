import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { PricePart } from '#domain/model/catalog/cost.ts';

/** Writes minor units as money. */
export type MoneyText = (amount: number) => string;

/** How one step of an amount reads: which units fall into which tier, at which price. `perUnit` is usage of one unit. */
function priceStep(part: PricePart, money: MoneyText, perUnit: number): string {
  const { kind, tier, values, quantity, unitPrice } = part;
  const amount = money(part.amount);
  const of = tier === null ? '' : ` in tier ${tier}`;
  const cell =
    values === null ? '' : ` of ${values.length > 0 ? values.join(', ') : 'other values'}`;
  const units = perUnit === 1 ? quantity : `${quantity} ÷ ${perUnit}`;
  switch (kind) {
    case 'units':
      return unitPrice === null
        ? `${quantity}${of}: ${amount}`
        : `${quantity}${of}${cell}: ${units} × ${exactMoney(unitPrice, money)} = ${amount}`;
    case 'packages':
      return `${quantity} started packages × ${exactMoney(unitPrice ?? '0', money)} = ${amount}`;
    case 'fee':
      return unitPrice === null
        ? `fixed amount${of}: ${amount}`
        : `fee of ${quantity} events × ${exactMoney(unitPrice, money)} = ${amount}`;
    case 'free':
      return `${quantity} of free units`;
    case 'covered':
      return `${quantity} covered by credits`;
    case 'minimum':
      return `raised to the minimum: ${amount}`;
    case 'maximum':
      return `reduced to the maximum: ${amount}`;
    case 'discount':
      return `discount of the item: ${amount}`;
    case 'trial':
      return `${quantity} in a trial: ${amount}`;
    case 'billed_before':
      return `less what was billed before: ${amount}`;
    case 'not_billed_yet':
      return `not on this invoice: ${amount}`;
  }
}

/** The steps of an amount, and their sum. */
export function priceSteps(
  parts: readonly PricePart[],
  money: MoneyText,
  perUnit = 1,
): readonly string[] {
  const sum = parts.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...parts.map((part) => priceStep(part, money, perUnit)),
    ...(parts.length > 1 ? [`together, rounded half up = ${money(sum)}`] : []),
  ];
}

/** A price with parts of a minor unit: whole ones as money, others as a number of minor units. */
const exactMoney = (unitPrice: string, money: MoneyText): string =>
  unitPrice.includes('.')
    ? `${decimalText(unitsOf(unitPrice))} minor units`
    : money(Number(unitPrice));
