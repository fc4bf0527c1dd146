import { intervalUnits, Price, priceTypes } from '#domain/prices/price.ts';
import { Product } from '#domain/products/product.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

export const IntervalUnit = builder.enumType('IntervalUnit', {
  description: 'The unit of a billing interval.',
  values: intervalUnits,
});

export const PriceType = builder.enumType('PriceType', {
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
