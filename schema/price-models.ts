import type { Cost, PricePart as Part } from '#domain/prices/cost.ts';
import { costFor, costForInput } from '#domain/prices/cost-for.ts';
import { pricePartKinds } from '#domain/prices/exact-part.ts';
import { Price } from '#domain/prices/price.ts';
import {
  type PriceCell,
  type PriceMatrix,
  type PriceTier,
  priceModels,
} from '#domain/prices/pricing.ts';
import { mostCells, mostDimensions, mostTiers } from '#domain/rules/catalog/pricing-input.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';
import { fieldMarks } from './engine/extensions.ts';

/** The mark of the lists of a price and of its steps. */
export const partOfRow = fieldMarks({ partOfRow: true });

type InputFields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]>['fields']>[0];

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

const tierTexts = {
  upTo: 'The last unit of the tier; null for the last tier, which has no end.',
  unitPrice: 'The price of each unit of the tier, in minor units, of at most 9 places.',
  flatFee: 'A fixed amount, in minor units, once a unit of the tier is charged.',
};

const PriceTierType = builder.objectRef<PriceTier>('PriceTier').implement({
  description:
    'A range of units with a price of its own. It begins above the end of the tier before it.',
  fields: (t) => ({
    upTo: t.expose('upTo', { type: 'Decimal', nullable: true, description: tierTexts.upTo }),
    unitPrice: t.expose('unitPrice', { type: 'Decimal', description: tierTexts.unitPrice }),
    flatFee: t.expose('flatFee', { type: 'SafeInt', description: tierTexts.flatFee }),
  }),
});

const PriceCellType = builder.objectRef<PriceCell>('PriceCell').implement({
  description: 'The price of a unit for one combination of values.',
  fields: (t) => ({
    values: t.exposeStringList('values', {
      description: 'One value for each dimension, in their order.',
    }),
    unitPrice: t.expose('unitPrice', {
      type: 'Decimal',
      description: 'The price of a unit, in minor units, of at most 9 places.',
    }),
  }),
});

const PriceMatrixType = builder.objectRef<PriceMatrix>('PriceMatrix').implement({
  description: 'The prices of a unit by the properties of its usage event.',
  fields: (t) => ({
    dimensions: t.exposeStringList('dimensions', { description: 'The names of the properties.' }),
    cells: t.field({
      type: [PriceCellType],
      description: `The combinations of values with a price of their own; at most ${mostCells}.`,
      extensions: partOfRow,
      resolve: ({ cells }) => cells,
    }),
    otherUnitPrice: t.expose('otherUnitPrice', {
      type: 'Decimal',
      description: 'The price of a unit with any other combination, in minor units.',
    }),
  }),
});

const PricePartKind = builder.enumType('PricePartKind', {
  description: 'The kind of a step of an amount.',
  values: described(pricePartKinds, {
    units: 'Units at a price, or at the amount of a step.',
    packages: 'Started packages.',
    fee: 'A fixed amount.',
    free: 'Units that cost nothing.',
    covered: 'Usage that usage credits cover.',
    minimum: 'The rise to the minimum amount.',
    maximum: 'The reduction to the maximum amount.',
    discount: 'The discount of a subscription item, deducted.',
    billed_before: 'The amount that earlier lines have billed for the same usage, deducted.',
    not_billed_yet: 'The amount that a later line bills, deducted.',
  }),
});

/** One step of the amount of a line. */
export const PricePart = builder.objectRef<Part>('PricePart').implement({
  description: 'One step of an amount. The amounts of all steps add up to the amount.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PricePartKind, description: 'The kind of the step.' }),
    tier: t.exposeInt('tier', {
      nullable: true,
      description: 'The number of the tier, from 1; null for other steps.',
    }),
    values: t.exposeStringList('values', {
      nullable: true,
      description:
        'The property values of a matrix cell; empty for other combinations. Null for other steps.',
    }),
    quantity: t.expose('quantity', {
      type: 'Decimal',
      description:
        'The usage or units of the step; for `packages` and fees of events their number.',
    }),
    unitPrice: t.expose('unitPrice', {
      type: 'Decimal',
      nullable: true,
      description:
        'The price of each unit or package, in minor units; null for a fixed amount. For fees the fee of each event.',
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount, in minor units. It is rounded so that all steps add up.',
    }),
  }),
});

const PriceCost = builder.objectRef<Cost>('PriceCost').implement({
  description: 'The amount of a quantity at a price, and its steps.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount, in minor units before discounts and tax.',
    }),
    parts: t.field({
      type: [PricePart],
      description: 'The steps of the amount by the model of the price, at most 1,000.',
      extensions: partOfRow,
      resolve: ({ parts }) => parts,
    }),
  }),
});

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

const texts = {
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

builder.objectFields(Price, (t) => ({
  amountFor: t.field({
    type: 'SafeInt',
    description:
      'The amount of a quantity in a whole billing period, in minor units before discounts and tax. For a usage price the quantity is usage, with property values that no matrix cell has.',
    args: { quantity: t.arg({ type: 'Decimal', required: true, description: 'The quantity.' }) },
    validate: { schema: costForInput },
    resolve: (price, args) => costFor(price, args).amount,
  }),
  costFor: t.field({
    type: PriceCost,
    description:
      'The amount of a quantity in a whole billing period, and how it is computed. For a usage price the quantity is usage.',
    args: {
      quantity: t.arg({ type: 'Decimal', required: true, description: 'The quantity.' }),
      events: t.arg.int({
        description:
          'The number of usage events, each of which may have a fixed fee; 1 when absent.',
      }),
      properties: t.arg({
        type: 'JSON',
        description:
          'The properties of the usage events, for a matrix; values of no cell when absent.',
      }),
    },
    validate: { schema: costForInput },
    resolve: (price, args) => costFor(price, args as never),
  }),
  model: t.expose('model', { type: PriceModel, description: texts.model }),
  tiers: t.expose('tiers', {
    type: [PriceTierType],
    nullable: true,
    extensions: partOfRow,
    description: `${texts.tiers} Null for other models; at most ${mostTiers}.`,
  }),
  packageSize: t.expose('packageSize', {
    type: 'SafeInt',
    nullable: true,
    description: `${texts.packageSize} Null for others.`,
  }),
  percentage: t.expose('percentage', {
    type: 'Decimal',
    nullable: true,
    description: `${texts.percentage} Null for others.`,
  }),
  fixedFee: t.expose('fixedFee', {
    type: 'SafeInt',
    nullable: true,
    description: `${texts.fixedFee} Null for none.`,
  }),
  freeUnits: t.expose('freeUnits', {
    type: 'SafeInt',
    nullable: true,
    description: `${texts.freeUnits} Null for none.`,
  }),
  minimumAmount: t.expose('minimumAmount', {
    type: 'SafeInt',
    nullable: true,
    description: `${texts.minimumAmount} Null for none.`,
  }),
  maximumAmount: t.expose('maximumAmount', {
    type: 'SafeInt',
    nullable: true,
    description: `${texts.maximumAmount} Null for none.`,
  }),
  matrix: t.expose('matrix', {
    type: PriceMatrixType,
    nullable: true,
    description: `${texts.matrix} Null for others.`,
  }),
}));
