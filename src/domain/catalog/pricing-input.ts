import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, keptText } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { decimalPlaces, exactText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { priceModels } from '#domain/model/catalog/pricing.ts';

/** The largest number of tiers of a price. */
export const mostTiers = 100;
/** The largest number of cells of a matrix. */
export const mostCells = 500;
/** The largest number of event properties that a matrix distinguishes. */
export const mostDimensions = 3;
/** The largest fixed amount, in minor units: all of them together stay below the largest invoice. */
const largestFee = 1_000_000_000_000;
const largestUnitPrice = unitsOf('1000000000000');
const percentagePlaces = 4;

/** A decimal that a number shows exactly, with a condition on it. */
export const decimalInput = (
  isValid: (units: bigint) => boolean,
  message: string,
  places = decimalPlaces,
) =>
  z.string().refine(
    (text) => {
      const [, fraction = ''] = text.split('.');
      // A number shows it exactly.
      const isExact = /^\d+(\.\d+)?$/.test(text) && exactText(Number(text)) === text;
      return isExact && fraction.length <= places && isValid(unitsOf(text));
    },
    coded('OUT_OF_RANGE', [], message),
  );

const unitPriceInput = decimalInput(
  (units) => units <= largestUnitPrice,
  `must be minor units of at most ${decimalPlaces} places, from 0 to ${largestFee}`,
);
const feeInput = z.int().min(0).max(largestFee);
const limitInput = z.int().min(1).max(largestFee);

const tierInput = z.object({
  upTo: decimalInput(
    (units) => units > 0n,
    `must be a decimal above 0 of at most ${decimalPlaces} places`,
  ).nullish(),
  unitPrice: unitPriceInput.nullish(),
  flatFee: feeInput.nullish(),
});

const valueInput = keptText(255);

const matrixInput = z.object({
  dimensions: listInput(keptText(255).min(1), mostDimensions, 1),
  cells: listInput(
    z.object({ values: listInput(valueInput, mostDimensions, 1), unitPrice: unitPriceInput }),
    mostCells,
    1,
  ),
  otherUnitPrice: unitPriceInput,
});

/** The fields of a price that decide how its amount is computed. */
export const pricingInput = {
  model: z.enum(priceModels).nullish(),
  tiers: listInput(tierInput, mostTiers, 1).nullish(),
  packageSize: countInput.nullish(),
  percentage: decimalInput(
    (units) => units > 0n && units <= unitsOf('1000'),
    `must be above 0 and at most 1000, with at most ${percentagePlaces} places`,
    percentagePlaces,
  ).nullish(),
  fixedFee: feeInput.nullish(),
  freeUnits: countInput.nullish(),
  minimumAmount: limitInput.nullish(),
  maximumAmount: limitInput.nullish(),
  matrix: matrixInput.nullish(),
};
