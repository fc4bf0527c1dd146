import { mostCells, mostDimensions, mostTiers } from '#domain/catalog/pricing-input.ts';
import { decimal, nullable, of } from '../engine/fields.ts';
import { input } from '../engine/types.ts';
import { PriceModel, pricingTexts as texts, tierTexts } from './price-models.ts';

const PriceTierInput = input('PriceTierInput', {
  description: 'A range of units with a price of its own.',
  fields: {
    upTo: nullable.decimal(tierTexts.upTo),
    unitPrice: nullable.decimal(`${tierTexts.unitPrice} 0 when absent.`),
    flatFee: nullable.safeInt(`${tierTexts.flatFee} 0 when absent.`),
  },
});

const PriceCellInput = input('PriceCellInput', {
  description: 'The price of a unit for one combination of values.',
  fields: {
    values: of(['String'], 'One value for each dimension, in their order.'),
    unitPrice: decimal('The price of a unit, in minor units, of at most 9 places.'),
  },
});

const PriceMatrixInput = input('PriceMatrixInput', {
  description: 'The prices of a unit by the properties of its usage event.',
  fields: {
    dimensions: of(['String'], `The names of the properties, at most ${mostDimensions}.`),
    cells: of(
      [PriceCellInput],
      `The combinations of values with a price of their own, at most ${mostCells}.`,
    ),
    otherUnitPrice: decimal('The price of a unit with any other combination, in minor units.'),
  },
});

/** The fields of an input that decide how a price is computed. `description` is that of all of them. */
export const pricingInputs = (description?: string) => ({
  model: nullable.of(PriceModel, description ?? `${texts.model} per_unit when absent.`),
  tiers: nullable.of(
    [PriceTierInput],
    description ?? `${texts.tiers} At most ${mostTiers}; the last one has no end.`,
  ),
  packageSize: nullable.safeInt(description ?? texts.packageSize),
  percentage: nullable.decimal(description ?? texts.percentage),
  fixedFee: nullable.safeInt(description ?? texts.fixedFee),
  freeUnits: nullable.safeInt(description ?? texts.freeUnits),
  minimumAmount: nullable.safeInt(description ?? texts.minimumAmount),
  maximumAmount: nullable.safeInt(description ?? texts.maximumAmount),
  matrix: nullable.of(PriceMatrixInput, description ?? texts.matrix),
});
