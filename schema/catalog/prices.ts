import { intervalUnits, Price, priceTypes } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byAmount, byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { pricingInputs } from './price-model-inputs.ts';

export const IntervalUnit = builder.enumType('IntervalUnit', {
  description: 'The unit of a billing interval.',
  values: described(intervalUnits, {
    day: 'Days.',
    week: 'Weeks.',
    month: 'Calendar months.',
    year: 'Calendar years.',
  }),
});

export const PriceType = builder.enumType('PriceType', {
  description: 'The type of a price.',
  values: described(priceTypes, {
    subscription: 'The price is charged in every billing interval.',
    single_payment: 'The price is charged once.',
    usage: 'The price is charged for metered usage.',
  }),
});

builder.node(Price, {
  name: 'Price',
  description: 'The price of one unit of a product or of metered usage. Its amounts never change.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('price'),
  loadOne: loadOne(Price),
  fields: (t) => ({
    type: t.expose('type', { type: PriceType, description: 'The type of the price.' }),
    name: t.exposeString('name', { nullable: true, description: 'The display name.' }),
    slug: t.exposeString('slug', {
      nullable: true,
      description: 'The slug, unique among the active prices of the pricing model.',
    }),
    unitPrice: t.expose('unitPrice', {
      type: 'SafeInt',
      description:
        'The price of one unit, or of a package, in minor units of the currency, 0 or more. Where tiers, a percentage or a matrix state the prices, it is the most that one unit can cost. 0 is a price that never costs anything.',
    }),
    currency: t.exposeString('currency', {
      description:
        'The currency, an ISO 4217 code in upper case. A free price fits every currency.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether it is the default price of its product or usage meter.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether new records can use the price.' }),
    intervalUnit: t.expose('intervalUnit', {
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of the billing interval; null for a single payment.',
    }),
    intervalCount: t.exposeInt('intervalCount', {
      nullable: true,
      description:
        'The number of interval units in the billing interval; null for a single payment.',
    }),
    trialPeriodDays: t.exposeInt('trialPeriodDays', {
      nullable: true,
      description: 'The days before the first charge; null or 0 means none.',
    }),
    usageEventsPerUnit: t.expose('usageEventsPerUnit', {
      type: 'SafeInt',
      nullable: true,
      description: 'The usage that makes up one unit; null unless it is a usage price.',
    }),
    productId: t.exposeID('productId', {
      nullable: true,
      description: 'The product; null for usage prices.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter; null unless it is a usage price.',
    }),
    product: t.field({
      type: Product,
      nullable: true,
      description: 'The product; null for usage prices.',
      resolve: (price) => price.product?.load() ?? null,
    }),
    usageMeter: t.field({
      type: UsageMeter,
      nullable: true,
      description: 'The usage meter; null unless it is a usage price.',
      resolve: (price) => price.usageMeter?.load() ?? null,
    }),
  }),
});

builder.objectField(Price, 'subscriptions', (t) =>
  listBelow(t, Subscription, {
    by: 'price',
    description: 'The subscriptions to the price.',
  }),
);

readable({
  one: 'price',
  many: 'prices',
  noun: 'price',
  entity: Price,
  catalog: true,
  where: {
    name: byText('name', 'The display name.'),
    slug: byText('slug', 'The slug.'),
    type: byEnum(PriceType, 'type', 'The type.'),
    product: byId('product', 'The product.'),
    usageMeter: byId('usageMeter', 'The usage meter.'),
    active: byFlag('active', 'Active (true) or retired (false).'),
    isDefault: byFlag('isDefault', 'The default (true) or others (false).'),
    unitPrice: byAmount('unitPrice', 'The price of one unit, in minor units.'),
    currency: byText('currency', 'The currency, in upper case.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', nullable: true, words: 'name' },
    unit_price: { property: 'unitPrice', kind: 'integer', inCurrency: true, words: 'price' },
  },
});

export const ProductPriceInput = builder.inputType('ProductPriceInput', {
  description: 'The price of a new product.',
  fields: (t) => ({
    type: t.field({
      type: PriceType,
      required: true,
      description: 'The type: `subscription` or `single_payment`.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      description:
        'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    }),
    currency: t.string({
      description: 'The currency, an ISO 4217 code; the organization’s when absent.',
    }),
    name: t.string({ description: 'The display name.' }),
    slug: t.string({ description: 'The slug, unique among active prices.' }),
    isDefault: t.boolean({
      description: 'Must not be false, because a product’s new price is its default.',
    }),
    active: t.boolean({
      description: 'Must not be false, because a product’s new price is active.',
    }),
    intervalUnit: t.field({
      type: IntervalUnit,
      description: 'The unit of the billing interval; required for a subscription price.',
    }),
    intervalCount: t.int({
      description: 'The number of interval units in the billing interval; 1 when absent.',
    }),
    trialPeriodDays: t.int({ description: 'The days before the first charge; none when absent.' }),
    usageEventsPerUnit: t.field({ type: 'SafeInt', description: 'Allowed for usage prices only.' }),
    ...pricingInputs(t),
    usageMeterId: t.id({ description: 'Allowed for usage prices only.' }),
  }),
});

export const PriceChangesInput = builder.inputType('PriceChangesInput', {
  description:
    'Changes to the default price; absent fields do not change. A difference creates a new default price and retires the old one. Other prices of the product remain.',
  fields: (t) => ({
    type: t.field({
      type: PriceType,
      description: 'The type; it must be that of the product’s prices.',
    }),
    unitPrice: t.field({ type: 'SafeInt', description: 'The price of one unit, in minor units.' }),
    currency: t.string({ description: 'Cannot change; it must equal the present value.' }),
    name: t.string({ description: 'The display name.' }),
    slug: t.string({ description: 'The slug, unique among active prices.' }),
    isDefault: t.boolean({ description: 'Must not be false, because this is the default price.' }),
    active: t.boolean({ description: 'Must not be false, because this is the default price.' }),
    intervalUnit: t.field({ type: IntervalUnit, description: 'The unit of the billing interval.' }),
    intervalCount: t.int({ description: 'The number of interval units in the billing interval.' }),
    trialPeriodDays: t.int({ description: 'The days before the first charge; 0 for none.' }),
    usageEventsPerUnit: t.field({ type: 'SafeInt', description: 'Allowed for usage prices only.' }),
    ...pricingInputs(t),
    productId: t.id({
      description: 'The product, repeated; it must equal the product of the request.',
    }),
    usageMeterId: t.id({ description: 'Allowed for usage prices only.' }),
  }),
});
