import { Feature } from '#domain/features/feature.ts';
import { Price } from '#domain/prices/price.ts';
import { Product } from '#domain/products/product.ts';
import { defaultPriceOf, featuresOf } from '#domain/products/product-contents.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { byFlag, byText } from './engine/where.ts';

builder.node(Product, {
  name: 'Product',
  description: 'A product that customers subscribe to or buy, with its prices and features.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: 'The id, `prod_…`.' },
  loadOne: (id, { em }) => em.findOne(Product, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The description.',
    }),
    imageURL: t.exposeString('imageURL', {
      nullable: true,
      description: 'The URL of a picture.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether the product can be sold.' }),
    singularQuantityLabel: t.exposeString('singularQuantityLabel', {
      nullable: true,
      description: 'The label of one unit, such as seat.',
    }),
    pluralQuantityLabel: t.exposeString('pluralQuantityLabel', {
      nullable: true,
      description: 'The label of several units, such as seats.',
    }),
    default: t.exposeBoolean('default', {
      description:
        'Whether it is the default product, the free product that new customers start with.',
    }),
    slug: t.exposeString('slug', {
      description: 'The slug, unique in the pricing model.',
    }),
    prices: t.field({
      type: [Price],
      description: 'All prices, including retired ones, oldest first.',
      resolve: ({ prices }) => prices.loadItems(),
    }),
    activePrices: t.field({
      type: [Price],
      description: 'The active prices, oldest first.',
      resolve: async ({ prices }) => (await prices.loadItems()).filter(({ active }) => active),
    }),
    defaultPrice: t.field({
      type: Price,
      nullable: true,
      description: 'The default price.',
      resolve: (product) => defaultPriceOf(product),
    }),
    features: t.field({
      type: [Feature],
      description: 'The features granted now, oldest grant first.',
      resolve: (product, _args, { now }) => featuresOf(product, now),
    }),
  }),
});

const ProductFilter = builder.inputType('ProductFilter', {
  description: 'A filter for products; all given fields must match.',
  fields: (t) => ({
    slug: t.string({ description: 'The slug.' }),
    active: t.boolean({ description: 'Active (true) or inactive (false).' }),
    default: t.boolean({ description: 'The default (true) or others (false).' }),
  }),
});

readable({
  one: 'product',
  many: 'products',
  noun: 'product',
  entity: Product,
  filter: ProductFilter,
  catalog: true,
  search: {
    table: 'product',
    description: 'A part of the name, slug or description, in any case.',
  },
  where: {
    name: byText('name', 'The display name.'),
    slug: byText('slug', 'The slug.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    default: byFlag('default', 'The default (true) or others (false).'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
