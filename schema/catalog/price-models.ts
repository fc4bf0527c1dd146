import { mostCells, mostTiers } from '#domain/catalog/pricing-input.ts';
import {
  type PriceCell,
  type PriceMatrix,
  type PriceTier,
  priceModels,
} from '#domain/model/catalog/pricing.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { decimal, nullable, of, safeInt } from '../engine/fields.ts';
import { object } from '../engine/types.ts';

/** The mark of the lists of a price and of its steps. */
export const partOfRow = fieldMarks({ partOfRow: true });

export const PriceModel = builder.enumType('PriceModel', {
  description: 'How a quantity or the usage of a billing period becomes an amount.',
  values: described(priceModels, {
    per_unit: 'Each unit costs `unitPrice`.',
    flat: 'Any quantity costs `unitPrice` together.',
    graduated: 'Each unit costs the unit price of the tier that it is in.',
    volume: 'All units cost the unit price of the tier in which the quantity ends.',
    stairstep: 'The quantity costs the `flatFee` of the tier in which it ends.',
    package: 'Each started package of `packageSize` units costs `unitPrice`.',
    percentage:
      'Usage is an amount in minor units: it costs `percentage` of it, and each event `fixedFee`.',
    matrix: 'Each unit costs the unit price for the properties of its usage event.',
  }),
});

/** Descriptions of the fields of a tier. */
export const tierTexts = {
  upTo: 'The last unit of the tier; null for the last tier, which has no end.',
  unitPrice: 'The price of each unit of the tier, in minor units, of at most 9 places.',
  flatFee: 'A fixed amount, in minor units, once a unit of the tier is charged.',
};

const PriceTierType = object<PriceTier>('PriceTier')({
  description:
    'A range of units with a price of its own. It begins above the end of the tier before it.',
  fields: () => ({
    upTo: nullable.decimal(tierTexts.upTo),
    unitPrice: decimal(tierTexts.unitPrice),
    flatFee: safeInt(tierTexts.flatFee),
  }),
});

const PriceCellType = object<PriceCell>('PriceCell')({
  description: 'The price of a unit for one combination of values.',
  fields: () => ({
    values: of(['String'], 'One value for each dimension, in their order.'),
    unitPrice: decimal('The price of a unit, in minor units, of at most 9 places.'),
  }),
});

const PriceMatrixType = object<PriceMatrix>('PriceMatrix')({
  description: 'The prices of a unit by the properties of its usage event.',
  fields: () => ({
    dimensions: of(['String'], 'The names of the properties.'),
    cells: of(
      [PriceCellType],
      `The combinations of values with a price of their own; at most ${mostCells}.`,
      partOfRow,
    ),
    otherUnitPrice: decimal('The price of a unit with any other combination, in minor units.'),
  }),
});

/** Descriptions of the fields that decide how a price is computed. */
export const pricingTexts = {
  model: 'How the quantity becomes an amount.',
  tiers: 'The tiers of the models graduated, volume and stairstep, in their order.',
  packageSize: 'The units of a package, for the model package.',
  percentage: 'The percentage, of at most 4 places, for the model percentage.',
  fixedFee:
    'The fixed amount of each usage event, in minor units, for the model percentage. A period whose usage is free or covered by credits has none.',
  freeUnits: 'The first units of a period, which cost nothing. Tiers count the units after them.',
  minimumAmount:
    'The least amount of a period, in minor units. A period costs it once something is used that no credit covers.',
  maximumAmount: 'The largest amount of a period, in minor units.',
  matrix: 'The prices by event properties, for the model matrix.',
};

/** The fields of a price that decide how it is computed. */
export const pricingFields = {
  model: of(PriceModel, pricingTexts.model),
  tiers: nullable.of(
    [PriceTierType],
    `${pricingTexts.tiers} Null for other models; at most ${mostTiers}.`,
    partOfRow,
  ),
  packageSize: nullable.safeInt(`${pricingTexts.packageSize} Null for others.`),
  percentage: nullable.decimal(`${pricingTexts.percentage} Null for others.`),
  fixedFee: nullable.safeInt(`${pricingTexts.fixedFee} Null for none.`),
  freeUnits: nullable.safeInt(`${pricingTexts.freeUnits} Null for none.`),
  minimumAmount: nullable.safeInt(`${pricingTexts.minimumAmount} Null for none.`),
  maximumAmount: nullable.safeInt(`${pricingTexts.maximumAmount} Null for none.`),
  matrix: nullable.of(PriceMatrixType, `${pricingTexts.matrix} Null for others.`),
};
