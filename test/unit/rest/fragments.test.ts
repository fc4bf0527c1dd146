import { expect, test } from 'vitest';
import { fragment } from '#rest/engine/fragment.ts';
import { get } from '#rest/engine/route.ts';

const price = fragment('fragment Price on Price { id }');
const product = fragment(
  'fragment Product on Product { prices { ...Price } defaultPrice { ...Price } }',
  [price],
);

test('a fragment brings the fragments that it spreads, each once', () => {
  const { document } = get(
    '/a',
    `query A { product { ...Product } price { ...Price } } ${product} ${price}`,
  );
  expect(document.definitions).toHaveLength(3);
});

test('a fragment that spreads an undeclared one, or declares an unused one, fails at the start', () => {
  expect(() => fragment('fragment A on Product { prices { ...Price } }')).toThrow(
    'Fragment A spreads Price and does not declare it',
  );
  expect(() => fragment('fragment A on Product { id }', [price])).toThrow(
    'Fragment A declares Price and does not spread it',
  );
  expect(() => fragment('query A { product { id } }')).toThrow('defines no fragment');
});

test('an operation with a missing or an unused fragment fails at the start', () => {
  expect(() => get('/a', 'query A { product { ...Product } }')).toThrow(
    'Fragment Product is missing',
  );
  expect(() => get('/a', `query A { product { id } } ${price}`)).toThrow(
    'Fragment Price is not used',
  );
  const other = 'fragment Price on Price { slug }';
  expect(() => get('/a', `query A { price { ...Price } } ${price} ${other}`)).toThrow(
    'There are two fragments Price',
  );
});
