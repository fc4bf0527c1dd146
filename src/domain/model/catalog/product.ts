import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, oldestFirst, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from './price.ts';
import { ProductFeature } from './product-feature.ts';

const ProductSchema = defineEntity({
  name: 'Product',
  uniques: [
    { name: 'product_slug_unique', properties: ['pricingModelId', 'slug'] },
    { name: 'product_default_unique', properties: ['pricingModelId'], where: { default: true } },
  ],
  indexes: [pageIndex('product')],
  checks: checksOf({
    product_add_on: 'not (add_on and "default")',
  }),
  properties: {
    ...tenantColumns('prod'),
    name: p.string(),
    description: p.text().nullable(),
    imageURL: p.text().nullable().name('image_url'),
    active: p.boolean().default(true),
    singularQuantityLabel: p.string().nullable(),
    pluralQuantityLabel: p.string().nullable(),
    /** The kind of goods for taxes, which tax rates name; null for usual ones. */
    taxCode: p.string().nullable(),
    default: p.boolean().default(false),
    /** Whether it adds to a plan, so that the portal does not offer it as one. */
    addOn: p.boolean().default(false),
    slug: p.string(),
    prices: () => p.oneToMany(Price).mappedBy('product').orderBy(oldestFirst),
    productFeatures: () => p.oneToMany(ProductFeature).mappedBy('product').orderBy(oldestFirst),
  },
});

/** A product that customers subscribe to or buy, with its prices and features. */
export class Product extends ProductSchema.class {}
ProductSchema.setClass(Product);
