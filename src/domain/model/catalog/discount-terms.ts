import { moneyText } from '#domain/kernel/values/currencies.ts';
import { halfUp, unitsOf, unitsOfNumber } from '#domain/kernel/values/decimal.ts';
import type { discountAmountTypes } from './discount.ts';

/** The size of a discount: a percentage of at most 4 places, or an amount in minor units of a currency. */
export interface DiscountSize {
  readonly amountType: (typeof discountAmountTypes)[number];
  readonly amount: number;
  /** Null for a percentage. */
  readonly currency?: string | null | undefined;
}

/** A redeemed discount, as the records that it reduces keep it. */
export interface DiscountTerms extends DiscountSize {
  readonly redemptionId: string;
  readonly code: string;
}

/**
 * The discount on a subtotal before tax, in minor units. A percentage is rounded half up once, and 100 at most apply.
 * An amount applies in its own currency only. The result is never below 0 and never above the subtotal.
 */
export function discountOf(
  { amountType, amount, currency }: DiscountSize,
  subtotal: number,
  of: string,
): number {
  if (subtotal <= 0) return 0;
  if (amountType === 'percent') {
    return halfUp(BigInt(subtotal) * unitsOfNumber(Math.min(amount, 100)), whole);
  }
  return currency === of ? Math.min(amount, subtotal) : 0;
}

/** 100 percent. */
const whole = unitsOf('100');

/** The rest of a subtotal after a discount, if there is one. */
export const discounted = (size: DiscountSize | null, subtotal: number, of: string): number =>
  size ? subtotal - discountOf(size, subtotal, of) : subtotal;

/** The size of a discount for people: `12.5 %` or `USD 5.00`. */
export const sizeText = ({ amountType, amount, currency }: DiscountSize): string =>
  amountType === 'percent' ? `${Math.min(amount, 100)} %` : moneyText(amount, currency ?? '');

/** The description of the line of an invoice that shows a discount. */
export const discountText = (terms: DiscountTerms): string =>
  `Discount ${terms.code}: ${sizeText(terms)}`;
