import { mostCells, mostDimensions, mostTiers } from '#domain/catalog/pricing-input.ts';
import { builder } from '../engine/builder.ts';
import { PriceModel, pricingTexts as texts, tierTexts } from './price-models.ts';

type InputFields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]>['fields']>[0];

const PriceTierInput = builder.inputType('PriceTierInput', {
  description: 'A range of units with a price of its own.',
  fields: (t) => ({
    upTo: t.field({ type: 'Decimal', description: tierTexts.upTo }),
    unitPrice: t.field({ type: 'Decimal', description: `${tierTexts.unitPrice} 0 when absent.` }),
    flatFee: t.field({ type: 'SafeInt', description: `${tierTexts.flatFee} 0 when absent.` }),
  }),
});

const PriceCellInput = builder.inputType('PriceCellInput', {
  description: 'The price of a unit for one combination of values.',
  fields: (t) => ({
    values: t.stringList({
      required: true,
      description: 'One value for each dimension, in their order.',
    }),
    unitPrice: t.field({
      type: 'Decimal',
      required: true,
      description: 'The price of a unit, in minor units, of at most 9 places.',
    }),
  }),
});

const PriceMatrixInput = builder.inputType('PriceMatrixInput', {
  description: 'The prices of a unit by the properties of its usage event.',
  fields: (t) => ({
    dimensions: t.stringList({
      required: true,
      description: `The names of the properties, at most ${mostDimensions}.`,
    }),
    cells: t.field({
      type: [PriceCellInput],
      required: true,
      description: `The combinations of values with a price of their own, at most ${mostCells}.`,
    }),
    otherUnitPrice: t.field({
      type: 'Decimal',
      required: true,
      description: 'The price of a unit with any other combination, in minor units.',
    }),
  }),
});

/** The fields of an input that decide how a price is computed. `description` is that of all of them. */
export const pricingInputs = (t: InputFields, description?: string) => ({
  model: t.field({
    type: PriceModel,
    description: description ?? `${texts.model} per_unit when absent.`,
  }),
  tiers: t.field({
    type: [PriceTierInput],
    description: description ?? `${texts.tiers} At most ${mostTiers}; the last one has no end.`,
  }),
  packageSize: t.field({ type: 'SafeInt', description: description ?? texts.packageSize }),
  percentage: t.field({ type: 'Decimal', description: description ?? texts.percentage }),
  fixedFee: t.field({ type: 'SafeInt', description: description ?? texts.fixedFee }),
  freeUnits: t.field({ type: 'SafeInt', description: description ?? texts.freeUnits }),
  minimumAmount: t.field({ type: 'SafeInt', description: description ?? texts.minimumAmount }),
  maximumAmount: t.field({ type: 'SafeInt', description: description ?? texts.maximumAmount }),
  matrix: t.field({ type: PriceMatrixInput, description: description ?? texts.matrix }),
});
