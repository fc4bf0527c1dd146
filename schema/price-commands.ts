import { createPrice, createPriceInput } from '#domain/prices/create-price.ts';
import { Price } from '#domain/prices/price.ts';
import { updatePrice, updatePriceInput } from '#domain/prices/update-price.ts';
import { builder } from './engine/builder.ts';
import { IntervalUnit, PriceType } from './prices.ts';

const CreatePrice = builder.inputType('CreatePriceInput', {
  description: 'A new price of a product or of a usage meter.',
  fields: (t) => ({
    type: t.field({ type: PriceType, required: true, description: 'Decides which fields it has.' }),
    unitPrice: t.field({
      type: 'SafeInt',
      required: true,
      description: 'Minor units for each unit.',
    }),
    productId: t.id({ description: 'The product; required unless it is a usage price.' }),
    usageMeterId: t.id({ description: 'The usage meter; required for a usage price.' }),
    usageEventsPerUnit: t.field({
      type: 'SafeInt',
      description: 'How much usage makes one unit; required for a usage price.',
    }),
    intervalUnit: t.field({ type: IntervalUnit, description: 'Required unless it is paid once.' }),
    intervalCount: t.int({ description: 'Units in the billing interval; 1 when absent.' }),
    trialPeriodDays: t.int({ description: 'Only for subscription prices; none when absent.' }),
    currency: t.string({ description: 'The currency of the organization, if it is given at all.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs, unique among the active prices.' }),
    isDefault: t.boolean({
      description:
        'Of a product: true when absent, and its other prices are retired; false adds the price beside them. Of a usage meter: whether it becomes the default, false when absent.',
    }),
    active: t.boolean({ description: 'True when absent; a new default price must be.' }),
  }),
});

const UpdatePrice = builder.inputType('UpdatePriceInput', {
  description:
    'Changes to a price: name, slug, active and isDefault. The other fields may be repeated, but not changed.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs, unique among the active prices.' }),
    active: t.boolean({ description: 'Whether it can be used for anything new.' }),
    isDefault: t.boolean({ description: 'True takes the flag from the price that has it.' }),
    type: t.field({ type: PriceType, description: 'Cannot change.' }),
    unitPrice: t.field({ type: 'SafeInt', description: 'Cannot change.' }),
    currency: t.string({ description: 'Cannot change.' }),
    intervalUnit: t.field({ type: IntervalUnit, description: 'Cannot change.' }),
    intervalCount: t.int({ description: 'Cannot change.' }),
    trialPeriodDays: t.int({ description: 'Cannot change.' }),
    usageEventsPerUnit: t.field({ type: 'SafeInt', description: 'Cannot change.' }),
    productId: t.id({ description: 'Cannot change.' }),
    usageMeterId: t.id({ description: 'Cannot change.' }),
  }),
});

builder.mutationFields((t) => ({
  createPrice: t.field({
    type: Price,
    description:
      'Adds a price. A product’s new price becomes its default and retires the others; with `isDefault: false` it is sold beside them, such as a yearly price beside a monthly one. Errors: BAD_REQUEST for a taken slug or an unknown product or usage meter; FORBIDDEN for the default product and for another type.',
    args: { price: t.arg({ type: CreatePrice, required: true, description: 'The price.' }) },
    validate: { schema: createPriceInput },
    resolve: (_root, args, session) => createPrice(session, args),
  }),
  updatePrice: t.field({
    type: Price,
    description:
      'Changes a price, not what it costs. Errors: NOT_FOUND; BAD_REQUEST for a changed amount or a taken slug; FORBIDDEN for the price of the default product.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the price.' }),
      price: t.arg({ type: UpdatePrice, required: true, description: 'The changes.' }),
    },
    validate: { schema: updatePriceInput },
    resolve: (_root, args, session) => updatePrice(session, args),
  }),
}));
