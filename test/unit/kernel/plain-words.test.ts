import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import '#domain/kernel/inputs/plain-words.ts';
import { issueOf } from '#domain/kernel/inputs/input-issues.ts';
import '#schema/engine/extensions.ts';
import { schema } from '#schema/index.ts';

type Code = z.core.$ZodIssue['code'];

const shape = z.strictObject({ a: z.string().optional(), b: z.string().optional() });
const either = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card') }),
  z.object({ kind: z.literal('bank') }),
]);
const day = new Date('2026-01-31T00:00:00Z');

/** A rule, a value that breaks it, and the words of the refusal, for each kind of zod's issues. */
const refusals: Record<Code, readonly (readonly [z.ZodType, unknown, string])[]> = {
  invalid_type: [
    [z.string(), undefined, 'is required'],
    [z.string(), 1, 'must be a text'],
    [z.string(), null, 'must be a text'],
    [z.number(), 'a', 'must be a number'],
    [z.number(), Number.NaN, 'must be a finite number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 1, 'must be true or false'],
    [z.date(), 'a', 'must be a time'],
    [z.array(z.string()), 'a', 'must be a list'],
    [z.object({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 1, 'must be an object'],
    [z.never(), 1, 'must be absent'],
  ],
  too_small: [
    [z.string().min(1), '', 'must have at least 1 character'],
    [z.string().length(4), 'a', 'must have exactly 4 characters'],
    [z.array(z.string()).min(2), ['a'], 'must have at least 2 items'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().gt(0), 0, 'must be greater than 0'],
    [z.date().min(day), new Date(0), 'must be 2026-01-31T00:00:00.000Z or later'],
  ],
  too_big: [
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.string().length(1), 'abc', 'must have exactly 1 character'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    [z.number().max(1), 2, 'must be at most 1'],
    [z.number().lt(1), 1, 'must be less than 1'],
    [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    [z.date().max(day), new Date(4e12), 'must be 2026-01-31T00:00:00.000Z or earlier'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 7, 'must be a multiple of 5']],
  invalid_format: [
    [z.email(), 'a', 'must be an e-mail address'],
    [z.url(), 'a', 'must be an absolute URL, such as https://example.com'],
    [z.iso.date(), 'a', 'must be a date, such as 2026-01-31'],
    [z.string().startsWith('sk_'), 'a', 'must start with sk_'],
    [z.string().endsWith('.csv'), 'a', 'must end with .csv'],
    [z.string().includes('@'), 'a', 'must contain @'],
    [z.string().regex(/^\d+$/), 'a', String.raw`must match the pattern /^\d+$/`],
  ],
  invalid_value: [
    [z.literal('a'), 'b', 'must be a'],
    [z.enum(['month', 'year']), 'day', 'must be one of month, year'],
    [z.enum(['month', 'year']), undefined, 'is required'],
    [z.enum(['month', '']), 'day', 'must be one of month, empty'],
  ],
  unrecognized_keys: [
    [shape, { c: 1 }, 'must not have the field "c": its fields are a, b'],
    [shape, { c: 1, d: 1 }, 'must not have the fields "c", "d": its fields are a, b'],
  ],
  invalid_key: [
    [
      z.record(z.string().max(1), z.string()),
      { abc: 'a' },
      'has a key that must have at most 1 character',
    ],
  ],
  invalid_element: [
    [z.map(z.unknown(), z.string()), new Map([[{}, 1]]), 'has a value that must be a text'],
  ],
  invalid_union: [
    [z.union([z.string(), z.number()]), true, 'must be a text, or a number'],
    [z.union([z.string(), z.number()]), undefined, 'is required'],
    [either, { kind: 'cash' }, 'must be one of card, bank'],
    [
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { a: 1 },
      'has no allowed form: a must be a text',
    ],
    [
      z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { a: 'a', b: 'b' },
      'must have one of its forms only',
    ],
  ],
  custom: [[z.string().refine(() => false), 'a', 'is not allowed']],
};

describe('A refused value', () => {
  test.for(Object.entries(refusals))('with %s is described by what it must be', ([code, cases]) => {
    for (const [rule, value, words] of cases) {
      const { error } = rule.safeParse(value);
      expect(error?.issues.map(({ code, message }) => ({ code, message }))).toEqual([
        { code, message: words },
      ]);
    }
  });

  test('that is missing has the code REQUIRED, whatever it must be', () => {
    for (const rule of [z.string(), z.enum(['a']), z.union([z.string(), z.number()])]) {
      const issues = z.object({ a: rule }).safeParse({}).error?.issues.map(issueOf);
      expect(issues).toEqual([{ code: 'REQUIRED', path: ['a'], message: 'is required' }]);
    }
  });
});

/** Values that callers send by mistake. */
const wrong = fc.constantFrom<unknown>(
  ...[undefined, null, '', ' ', 'a', 'é\0', 'a@b', 'ftp://a', 'x'.repeat(10_001)],
  ...[-1, 0, 1.5, 1e6, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY],
  ...[true, {}, [], [null], { a: 1 }, Array(1_001).fill('a'), new Date(Number.NaN)],
);

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
}

/** Values that have the form of an input, with mistakes at any depth. */
function nearly({ properties, items, anyOf, enum: values }: JsonSchema): fc.Arbitrary<unknown> {
  if (anyOf) return fc.oneof(wrong, ...anyOf.map(nearly));
  if (values) return fc.oneof(wrong, fc.constantFrom(...values));
  if (items) return fc.oneof(wrong, fc.array(nearly(items), { maxLength: 3 }));
  if (!properties) return wrong;
  const fields = Object.entries(properties).map(([name, field]) => [name, nearly(field)]);
  const object = fc.record(Object.fromEntries(fields));
  return fc.oneof({ weight: 4, arbitrary: object }, { weight: 1, arbitrary: wrong });
}

const messagesIn = (issue: z.core.$ZodIssue): string[] => [
  issue.message,
  ...('errors' in issue ? issue.errors.flat().flatMap(messagesIn) : []),
];

describe('No mutation', () => {
  const inputs = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) => {
    const input = field.extensions.pothosOptions?.validate?.schema;
    return input ? [[field.name, input, field.extensions.ranges as JsonSchema] as const] : [];
  });

  test('answers a refusal in words of zod: each is a predicate of its path', async () => {
    const foreign =
      /^(?!Unknown )[A-Z]|: expected|, received|Invalid|Too |pattern|^is not allowed$/;
    const found = new Set<string>();
    for (const [name, input, ranges] of inputs) {
      const values = fc.sample(nearly(ranges), { numRuns: 40, seed: 1 });
      for (const value of values) {
        const { error } = await input.safeParseAsync(value);
        for (const message of error?.issues.flatMap(messagesIn) ?? []) {
          if (foreign.test(message)) found.add(`${name}: ${message}`);
        }
      }
    }
    expect(inputs.length).toBeGreaterThan(100);
    expect([...found]).toEqual([]);
  });
});
