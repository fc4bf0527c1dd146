import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '#rest/engine/fingerprint.ts';
import { parseJson } from '#rest/engine/json.ts';
import { written } from '#rest/engine/written.ts';

/** Padding before and behind, so that a small value is read as a large one is. */
const padded = (text: string) => `${' '.repeat(70_000)}${text}\n`;

const attempt = async (work: () => unknown) => {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: (error as Error).name };
  }
};

/** Texts that are JSON, nearly JSON, or not at all. */
const texts = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(fc.string(), fc.array(fc.jsonValue({ maxDepth: 2 })))
    .map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })))
    .map((value) => JSON.stringify(value)),
  fc
    .array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b\\""', '1', 'null', ' ', '\\', '"'),
      { maxLength: 14 },
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('1', '', ' ', '{}', '[]', '"x,]"'), { maxLength: 5 })
    .map((items) => `{"a":[${items.join(',')}],"a":[1],"b":2}`),
  fc
    .array(fc.constantFrom('"a":', '"b":', '{', '}', '[', ']', ',', '1'), { maxLength: 16 })
    .map((parts) => `{"a":{"b":[1],${parts.join('')}}`),
);

describe('a large body', () => {
  test('is read as JSON.parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const large = padded(text);
        expect(await attempt(() => parseJson(large))).toEqual(
          await attempt(() => JSON.parse(large)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('is read in parts without a gap', async () => {
    const items = Array.from({ length: 20_000 }, (_, n) => ({
      n,
      text: 'a"],[\\"b'.repeat(n % 9),
    }));
    const body = { first: 1, items, last: [1, [2, [3]]], within: { a: items, b: [[1]], c: {} } };
    expect(await parseJson(JSON.stringify(body, null, 1))).toEqual(body);
    expect(
      Object.keys((await parseJson(`{"__proto__":[1],"x":"${' '.repeat(70_000)}"}`)) as object),
    ).toEqual(['__proto__', 'x']);
  });

  test.for([
    ['deep', '['.repeat(10_000_000)],
    ['deep objects', '{"a":'.repeat(1_000)],
    ['a long list', `{"a":[${'1,'.repeat(1_000_000)}1]}`],
    ['a large item', `{"a":[[${'1,'.repeat(1_000_000)}1]]}`],
    ['much next to its lists', `{"a":{"b":{"c":[${'1,'.repeat(1_000_000)}1]}}}`],
    ['a long list in an object', `{"a":{"b":[${'1,'.repeat(1_000_000)}1]}}`],
  ] as const)('that is %s is refused', async ([, text]) => {
    expect(await attempt(() => parseJson(text))).toEqual({ error: 'RangeError' });
  });
});

test('a fingerprint is the same whether the body is hashed at once or in slices', async () => {
  const about = ['POST', '/a', '', null];
  for (const body of ['{"a":1}', `"${'x😀"\n\\'.repeat(100_000)}`, 'é'.repeat(262_144)]) {
    const atOnce = createHash('sha256')
      .update(JSON.stringify([...about, body]))
      .digest('hex');
    expect(await fingerprintOf(about, body)).toBe(atOnce);
  }
});

test('a long answer is written as JSON.stringify writes it', async () => {
  const list = Array.from({ length: 1_234 }, (_, n) => ({ n, at: undefined, text: '"' }));
  for (const body of [
    { list, a: undefined, b: [undefined, 1], c: null },
    list,
    { list: [] },
    null,
  ]) {
    expect(await written(body)).toBe(JSON.stringify(body));
  }
});
