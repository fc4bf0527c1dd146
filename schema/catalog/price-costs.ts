import { costFor, costForInput } from '#domain/catalog/commands/prices/cost-for.ts';
import type { Cost, PricePart as Part } from '#domain/model/catalog/cost.ts';
import { pricePartKinds } from '#domain/model/catalog/exact-part.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { decimal, nullable, of, safeInt } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { partOfRow } from './price-models.ts';

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
    trial: 'The quantity of a subscription item in its trial, which costs nothing.',
    billed_before: 'The amount that earlier lines have billed for the same usage, deducted.',
    not_billed_yet: 'The amount that a later line bills, deducted.',
  }),
});

/** One step of the amount of a line. */
export const PricePart = object<Part>('PricePart')({
  description: 'One step of an amount. The amounts of all steps add up to the amount.',
  fields: () => ({
    kind: of(PricePartKind, 'The kind of the step.'),
    tier: nullable.int('The number of the tier, from 1; null for other steps.'),
    values: nullable.of(
      ['String'],
      'The property values of a matrix cell; empty for other combinations. Null for other steps.',
    ),
    quantity: decimal(
      'The usage or units of the step; for `packages` and fees of events their number.',
    ),
    unitPrice: nullable.decimal(
      'The price of each unit or package, in minor units; null for a fixed amount. For fees the fee of each event.',
    ),
    amount: safeInt('The amount, in minor units. It is rounded so that all steps add up.'),
  }),
});

const PriceCost = object<Cost>('PriceCost')({
  description: 'The amount of a quantity at a price, and its steps.',
  fields: () => ({
    amount: safeInt('The amount, in minor units before discounts and tax.'),
    parts: of(
      [PricePart],
      'The steps of the amount by the model of the price, at most 1,000.',
      partOfRow,
    ),
  }),
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
    resolve: (price, args) => costFor(price, args),
  }),
}));
