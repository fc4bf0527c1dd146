import { readFileSync } from 'node:fs';
import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '#schema/index.ts';

const baseline = readFileSync('schema/baseline.graphql', 'utf8');

/** The lines of the code blocks of the first section: the changes since the baseline. */
function recordedIn(changelog: string): string[] {
  const [, section = ''] = changelog.split(/^## /m);
  const blocks = [...section.matchAll(/^```text\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, lines = '']) => lines.trim().split('\n')).sort();
}

const breakingIn = (changes: readonly Change[]) =>
  changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message)
    .sort();

test('every breaking change since the baseline is in the changelog, and no other', async () => {
  const changes = await diff(buildSchema(baseline), schema);
  const recorded = recordedIn(readFileSync('schema/CHANGELOG.md', 'utf8'));
  expect(recorded).toEqual(breakingIn(changes));
});

test('a removed field, a new required argument and a removed enum value are breaking changes', async () => {
  const before = buildSchema('type Query { a: E b(c: Int): Int } enum E { x y }');
  const after = buildSchema('type Query { b(c: Int!): Int e: E } enum E { x }');
  expect(breakingIn(await diff(before, after))).toEqual([
    "Enum value 'y' was removed from enum 'E'",
    "Field 'a' was removed from object type 'Query'",
    "Type for argument 'c' on field 'Query.b' changed from 'Int' to 'Int!'",
  ]);
});
