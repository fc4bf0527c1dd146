import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { decimalInput } from './pricing-input.ts';

const places = 4;

/** The percentage by which the amount of a subscription item is reduced; an exact text. */
export const itemDiscountInput = decimalInput(
  (units) => units > 0n && units < unitsOf('100'),
  `must be above 0 and below 100, with at most ${places} places`,
  places,
);
