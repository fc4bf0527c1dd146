import { createPrice, createPriceInput } from '#domain/prices/create-price.ts';
import { intervalUnits, Price, priceTypes } from '#domain/prices/price.ts';
import { updatePrice, updatePriceInput } from '#domain/prices/update-price.ts';
import { Product } from '#domain/products/product.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';

export const IntervalUnit = builder.enumType('IntervalUnit', {
  description: 'The unit of a billing interval.',
  values: intervalUnits,
});

const PriceType = builder.enumType('PriceType', {
  description: 'Paid once, paid every interval, or paid by metered usage.',
  values: priceTypes,
});

builder.node(Price, {
  name: 'Price',
  description: 'What a unit of a product or of metered usage costs. Its amounts never change.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`price_…`' },
  loadOne: (id, { em }) => em.findOne(Price, id),
  fields: (t) => ({
    type: t.expose('type', { type: PriceType, description: 'What kind of price it is.' }),
    name: t.exposeString('name', { nullable: true, description: 'The name for people.' }),
    slug: t.exposeString('slug', {
      nullable: true,
      description: 'The name for programs, unique among the active prices of the pricing model.',
    }),
    unitPrice: t.expose('unitPrice', {
      type: 'SafeInt',
      description: 'Minor units of the currency for each unit, 0 or more.',
    }),
    currency: t.exposeString('currency', {
      description: 'ISO 4217, upper case; the organization’s.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether it is the default of its product or usage meter.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it can be used for anything new.' }),
    intervalUnit: t.expose('intervalUnit', {
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of the billing interval; null for a single payment.',
    }),
    intervalCount: t.exposeInt('intervalCount', {
      nullable: true,
      description: 'How many units make the billing interval; null for a single payment.',
    }),
    trialPeriodDays: t.exposeInt('trialPeriodDays', {
      nullable: true,
      description: 'Days before the first charge; null or 0 means none.',
    }),
    usageEventsPerUnit: t.expose('usageEventsPerUnit', {
      type: 'SafeInt',
      nullable: true,
      description: 'How much usage makes one unit; null but for usage prices.',
    }),
    productId: t.exposeID('productId', {
      nullable: true,
      description: 'The product it is for; null for usage prices.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter it is for; null but for usage prices.',
    }),
    product: t.field({
      type: Product,
      nullable: true,
      description: 'The product it is for; null for usage prices.',
      resolve: (price) => price.product?.load() ?? null,
    }),
    usageMeter: t.field({
      type: UsageMeter,
      nullable: true,
      description: 'The usage meter it is for; null but for usage prices.',
      resolve: (price) => price.usageMeter?.load() ?? null,
    }),
  }),
});

const PriceFilter = builder.inputType('PriceFilter', {
  description: 'Which prices to list.',
  fields: (t) => ({
    type: t.field({ type: PriceType, description: 'Of this type.' }),
    product: t.id({ description: 'For the product with this id.' }),
    usageMeter: t.id({ description: 'For the usage meter with this id.' }),
    slug: t.string({ description: 'With this slug.' }),
    active: t.boolean({ description: 'Active (true) or retired.' }),
    isDefault: t.boolean({ description: 'The default (true) or not.' }),
  }),
});

readable({
  one: 'price',
  many: 'prices',
  noun: 'price',
  entity: Price,
  filter: PriceFilter,
  catalog: true,
});

export const ProductPriceInput = builder.inputType('ProductPriceInput', {
  description: 'The price of a new product.',
  fields: (t) => ({
    type: t.field({
      type: PriceType,
      required: true,
      description: 'subscription or single_payment.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      required: true,
      description: 'Minor units for each unit.',
    }),
    currency: t.string({ description: 'The currency of the organization, if it is given at all.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs, unique among the active prices.' }),
    isDefault: t.boolean({ description: 'A product’s new price is always its default.' }),
    active: t.boolean({ description: 'A product’s new price is always active.' }),
    intervalUnit: t.field({
      type: IntervalUnit,
      description: 'Required for a subscription price.',
    }),
    intervalCount: t.int({ description: 'Units in the billing interval; 1 when absent.' }),
    trialPeriodDays: t.int({ description: 'Days before the first charge; none when absent.' }),
    usageEventsPerUnit: t.field({ type: 'SafeInt', description: 'Only for usage prices.' }),
    usageMeterId: t.id({ description: 'Only for usage prices.' }),
  }),
});

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

export const PriceChangesInput = builder.inputType('PriceChangesInput', {
  description:
    'Changes to the default price; what is absent stays. A difference makes a new default price and retires the old one; prices beside it stay.',
  fields: (t) => ({
    type: t.field({ type: PriceType, description: 'Must be that of the product’s prices.' }),
    unitPrice: t.field({ type: 'SafeInt', description: 'Minor units for each unit.' }),
    currency: t.string({ description: 'The currency of the organization, if it is given at all.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs, unique among the active prices.' }),
    isDefault: t.boolean({ description: 'Must be true: this is the default price.' }),
    active: t.boolean({ description: 'Must be true: this is the default price.' }),
    intervalUnit: t.field({ type: IntervalUnit, description: 'The unit of the billing interval.' }),
    intervalCount: t.int({ description: 'How many units make the billing interval.' }),
    trialPeriodDays: t.int({ description: 'Days before the first charge; 0 for none.' }),
    usageEventsPerUnit: t.field({ type: 'SafeInt', description: 'Only for usage prices.' }),
    productId: t.id({ description: 'The product again; must equal that of the call.' }),
    usageMeterId: t.id({ description: 'Only for usage prices.' }),
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
