import { Feature } from '#domain/features/feature.ts';
import { Price } from '#domain/prices/price.ts';
import { Product } from '#domain/products/product.ts';
import { defaultPriceOf, featuresOf } from '#domain/products/product-contents.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

builder.node(Product, {
  name: 'Product',
  description: 'What customers subscribe to or buy, with its prices and features.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`prod_…`' },
  loadOne: (id, { em }) => em.findOne(Product, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is, for people.',
    }),
    imageURL: t.exposeString('imageURL', {
      nullable: true,
      description: 'The address of a picture.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it can be sold.' }),
    singularQuantityLabel: t.exposeString('singularQuantityLabel', {
      nullable: true,
      description: 'What one unit is called, such as seat.',
    }),
    pluralQuantityLabel: t.exposeString('pluralQuantityLabel', {
      nullable: true,
      description: 'What several units are called, such as seats.',
    }),
    default: t.exposeBoolean('default', {
      description: 'Whether new customers start on it: the free product of its pricing model.',
    }),
    slug: t.exposeString('slug', {
      description: 'The name for programs, unique in the pricing model.',
    }),
    prices: t.field({
      type: [Price],
      description: 'All its prices, oldest first, retired ones among them.',
      resolve: ({ prices }) => prices.loadItems(),
    }),
    activePrices: t.field({
      type: [Price],
      description: 'Its prices in use, oldest first.',
      resolve: async ({ prices }) => (await prices.loadItems()).filter(({ active }) => active),
    }),
    defaultPrice: t.field({
      type: Price,
      nullable: true,
      description: 'The price in use.',
      resolve: (product) => defaultPriceOf(product),
    }),
    features: t.field({
      type: [Feature],
      description: 'What it grants now, oldest grant first.',
      resolve: (product, _args, { now }) => featuresOf(product, now),
    }),
  }),
});

const ProductFilter = builder.inputType('ProductFilter', {
  description: 'Which products to list.',
  fields: (t) => ({
    slug: t.string({ description: 'With this slug.' }),
    active: t.boolean({ description: 'Active (true) or not.' }),
    default: t.boolean({ description: 'The default (true) or the others.' }),
  }),
});

readable({
  one: 'product',
  many: 'products',
  noun: 'product',
  entity: Product,
  filter: ProductFilter,
  catalog: true,
});
