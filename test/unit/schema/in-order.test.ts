import { introspectionFromSchema, lexicographicSortSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '#schema/index.ts';

test('the names of the graph have the order that graphql-js gives them', () => {
  const sorted = introspectionFromSchema(lexicographicSortSchema(schema));
  expect(JSON.stringify(introspectionFromSchema(schema))).toBe(JSON.stringify(sorted));
});
