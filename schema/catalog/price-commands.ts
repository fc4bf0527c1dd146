import { createPrice, createPriceInput } from '#domain/catalog/commands/prices/create-price.ts';
import { updatePrice, updatePriceInput } from '#domain/catalog/commands/prices/update-price.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { payload } from '../engine/payload.ts';
import { pricingInputs } from './price-model-inputs.ts';
import { IntervalUnit, PriceType } from './prices.ts';

const CreatePrice = builder.inputType('CreatePriceInput', {
  description: 'A new price of a product or of a usage meter.',
  fields: (t) => ({
    type: t.field({
      type: PriceType,
      required: true,
      description: 'The type, which decides which fields apply.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      description:
        'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    }),
    productId: t.id({ description: 'The product; required unless it is a usage price.' }),
    usageMeterId: t.id({ description: 'The usage meter; required for a usage price.' }),
    usageEventsPerUnit: t.field({
      type: 'SafeInt',
      description: 'The usage that makes up one unit; required for a usage price.',
    }),
    ...pricingInputs(t),
    intervalUnit: t.field({
      type: IntervalUnit,
      description: 'The unit of the billing interval; required unless it is a single payment.',
    }),
    intervalCount: t.int({
      description: 'The number of interval units in the billing interval; 1 when absent.',
    }),
    trialPeriodDays: t.int({
      description:
        'The days before the first charge, for subscription prices only; none when absent.',
    }),
    currency: t.string({
      description: 'The currency, an ISO 4217 code; the organization’s when absent.',
    }),
    name: t.string({ description: 'The display name.' }),
    slug: t.string({ description: 'The slug, unique among active prices.' }),
    isDefault: t.boolean({
      description:
        'For a product: true when absent, which retires its other prices of the same currency; false adds the price next to them, as does another currency than that of the default price. For a usage meter: whether the price becomes the default in its currency; false when absent.',
    }),
    active: t.boolean({
      description:
        'Whether the price is active; true when absent, and required for a new default price.',
    }),
  }),
});

const UpdatePrice = builder.inputType('UpdatePriceInput', {
  description:
    'Changes to a price: name, slug, active and isDefault. The other fields may be repeated but cannot change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    name: t.string({ description: 'The display name.', extensions: nullEmpties }),
    slug: t.string({ description: 'The slug, unique among active prices.' }),
    active: t.boolean({ description: 'Whether new records can use the price.' }),
    isDefault: t.boolean({
      description: 'True makes the price the default in place of the present one.',
    }),
    type: t.field({
      type: PriceType,
      description: 'Cannot change; it must equal the present value.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      description: 'Cannot change; it must equal the present value.',
    }),
    currency: t.string({ description: 'Cannot change; it must equal the present value.' }),
    intervalUnit: t.field({
      type: IntervalUnit,
      description: 'Cannot change; it must equal the present value.',
    }),
    intervalCount: t.int({ description: 'Cannot change; it must equal the present value.' }),
    trialPeriodDays: t.int({ description: 'Cannot change; it must equal the present value.' }),
    usageEventsPerUnit: t.field({
      type: 'SafeInt',
      description: 'Cannot change; it must equal the present value.',
    }),
    ...pricingInputs(t, 'Cannot change; it must equal the present value.'),
    productId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    usageMeterId: t.id({ description: 'Cannot change; it must equal the present value.' }),
  }),
});

builder.mutationFields((t) => ({
  createPrice: t.field({
    type: payload('createPrice', Price, 'The new price.'),
    description:
      'Creates a price. A product’s new price becomes its default and retires the others of its currency. With `isDefault: false` the price is sold next to them, such as a yearly price next to a monthly one. Errors: BAD_REQUEST for a taken slug or an unknown product or usage meter; FORBIDDEN for the default product and for another type.',
    args: { price: t.arg({ type: CreatePrice, required: true, description: 'The price.' }) },
    validate: { schema: createPriceInput },
    resolve: (_root, args, session) => createPrice(session, args),
  }),
  updatePrice: t.field({
    type: payload('updatePrice', Price, 'The changed price.'),
    description:
      'Changes a price except its amounts. Errors: NOT_FOUND; BAD_REQUEST for a changed amount or a taken slug; FORBIDDEN for the price of the default product.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the price.' }),
      price: t.arg({ type: UpdatePrice, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updatePriceInput },
    resolve: (_root, args, session) => updatePrice(session, args),
  }),
}));
