import { Product } from '#domain/products/product.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byFlag, byText } from './engine/where.ts';

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
