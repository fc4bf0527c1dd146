import { intervalUnits, Price, priceTypes } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { input, record } from '../engine/types.ts';
import { byAmount, byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { pricingInputs } from './price-model-inputs.ts';
import { pricingFields } from './price-models.ts';

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

record(Price, {
  description: 'The price of one unit of a product or of metered usage. Its amounts never change.',
  fields: (t) => ({
    type: of(PriceType, 'The type of the price.'),
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug, unique among the active prices of the pricing model.'),
    unitPrice: safeInt(
      'The price of one unit, or of a package, in minor units of the currency, 0 or more. Where tiers, a percentage or a matrix state the prices, it is the most that one unit can cost. 0 is a price that never costs anything.',
    ),
    ...pricingFields,
    currency: text(
      'The currency, an ISO 4217 code in upper case. A free price fits every currency.',
    ),
    isDefault: flag('Whether it is the default price of its product or usage meter.'),
    active: flag('Whether new records can use the price.'),
    intervalUnit: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; null for a single payment.',
    ),
    intervalCount: nullable.int(
      'The number of interval units in the billing interval; null for a single payment.',
    ),
    trialPeriodDays: nullable.int('The days before the first charge; null or 0 means none.'),
    usageEventsPerUnit: nullable.safeInt(
      'The usage that makes up one unit; null unless it is a usage price.',
    ),
    productId: nullable.id('The product; null for usage prices.'),
    usageMeterId: nullable.id('The usage meter; null unless it is a usage price.'),
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

export const ProductPriceInput = input('ProductPriceInput', {
  description: 'The price of a new product.',
  fields: {
    type: of(PriceType, 'The type: `subscription` or `single_payment`.'),
    unitPrice: nullable.safeInt(
      'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    ),
    currency: nullable.text('The currency, an ISO 4217 code; the organization’s when absent.'),
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug, unique among active prices.'),
    isDefault: nullable.flag('Must not be false, because a product’s new price is its default.'),
    active: nullable.flag('Must not be false, because a product’s new price is active.'),
    intervalUnit: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; required for a subscription price.',
    ),
    intervalCount: nullable.int(
      'The number of interval units in the billing interval; 1 when absent.',
    ),
    trialPeriodDays: nullable.int('The days before the first charge; none when absent.'),
    usageEventsPerUnit: nullable.safeInt('Allowed for usage prices only.'),
    ...pricingInputs(),
    usageMeterId: nullable.id('Allowed for usage prices only.'),
  },
});

export const PriceChangesInput = input('PriceChangesInput', {
  description:
    'Changes to the default price; absent fields do not change. A difference creates a new default price and retires the old one. Other prices of the product remain.',
  fields: {
    type: nullable.of(PriceType, 'The type; it must be that of the product’s prices.'),
    unitPrice: nullable.safeInt('The price of one unit, in minor units.'),
    currency: nullable.text('Cannot change; it must equal the present value.'),
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug, unique among active prices.'),
    isDefault: nullable.flag('Must not be false, because this is the default price.'),
    active: nullable.flag('Must not be false, because this is the default price.'),
    intervalUnit: nullable.of(IntervalUnit, 'The unit of the billing interval.'),
    intervalCount: nullable.int('The number of interval units in the billing interval.'),
    trialPeriodDays: nullable.int('The days before the first charge; 0 for none.'),
    usageEventsPerUnit: nullable.safeInt('Allowed for usage prices only.'),
    ...pricingInputs(),
    productId: nullable.id('The product, repeated; it must equal the product of the request.'),
    usageMeterId: nullable.id('Allowed for usage prices only.'),
  },
});
