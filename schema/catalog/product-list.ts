import { Product } from '#domain/model/catalog/product.ts';
import { readable } from '../engine/readable.ts';
import { byFlag, byText } from '../engine/where.ts';

readable({
  one: 'product',
  many: 'products',
  noun: 'product',
  entity: Product,
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
