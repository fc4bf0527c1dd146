import { expect, test } from 'vitest';
import { knotsOf } from '../../bench/weights/knots.ts';
import { stillWeights } from '../../bench/weights/still.ts';

test.for(stillWeights)('$name: at most $most', async ({ most, measure }) => {
  expect(await measure()).toBeLessThanOrEqual(most);
});

test('a knot has all nodes that reach each other', () => {
  const graph = { a: 'b', b: 'c', c: 'a', d: 'ae', e: 'f', f: 'e', g: '' };
  const edges = Object.entries(graph).map(([from, to]) => [from, new Set(to)] as const);
  expect(knotsOf(new Map(edges))).toEqual([3, 2]);
});
