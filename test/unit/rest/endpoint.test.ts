import { expect, test } from 'vitest';
import { compile, endpointOf } from '#rest/engine/endpoint.ts';
import { formsOf, get } from '#rest/engine/route.ts';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';

test('every route is an operation that the graph knows and that can be compiled', () => {
  for (const route of routes.flatMap(formsOf)) {
    expect(endpointOf(route, schema).path).toBe(route.path);
    expect(compile(route, schema).query).toBeTypeOf('function');
  }
});

test('a route that asks for what the graph does not know is named', () => {
  const route = get('/nothing', 'query GetNothing { nothing }');
  expect(() => endpointOf(route, schema)).toThrow('GET /nothing: Cannot query field "nothing"');
});
