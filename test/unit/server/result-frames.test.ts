import { expect, test } from 'vitest';
import { framesOf } from '#server/live/result-frames.ts';

const resultsOf = (count: number, size = 10) =>
  Array.from({ length: count }, (_, n) => ({ data: { n, rest: 'x'.repeat(size) } }));

test('clients with equal results and ids share the bytes, and another id gets a copy', () => {
  const results = resultsOf(3);
  const { bytes, count } = framesOf(results, 'ab');
  expect(count).toBe(3);
  expect(framesOf([...results], 'ab').bytes).toBe(bytes);
  const other = framesOf(results, 'cd').bytes;
  expect(String(other)).toBe(String(bytes).replaceAll('"ab"', '"cd"'));
  expect(String(bytes)).not.toContain('"cd"');
});

test('a list with the same begin has messages of its own', () => {
  const results = resultsOf(4);
  expect(framesOf(results, 'a').count).toBe(4);
  expect(framesOf(results.slice(0, 2), 'a').count).toBe(2);
  expect(framesOf(results, 'a').count).toBe(4);
  const [first = {}, , ...others] = results;
  expect(String(framesOf([first, ...others], 'a').bytes)).not.toContain('"n":1,');
});

test('one write has about 256 KiB, and at least one result', () => {
  const results = resultsOf(10, 100_000);
  const { bytes, count } = framesOf(results, 'a');
  expect(count).toBe(3);
  expect(bytes.length).toBeLessThan(310_000);
  expect(framesOf(resultsOf(2, 1_000_000), 'a').count).toBe(1);
});

test('the bytes of older results are not kept', () => {
  const results = resultsOf(2);
  const { bytes } = framesOf(results, 'a');
  for (let n = 0; n < 16; n++) framesOf(resultsOf(1), 'a');
  expect(framesOf(results, 'a').bytes).not.toBe(bytes);
});
