import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { claimOutcomes } from '#domain/capacity/change-claims.ts';
import { root } from '#root';

const functions = ['claim_resource', 'release_resource', 'change_claims'];
const sqlOf = (name: string) =>
  readFileSync(path.join(root, 'src/domain/capacity/sql', `${name}.sql`), 'utf8');

/** The texts that a function assigns to its outcome, or returns as it, and the statuses that it passes on. */
function outcomesIn(sql: string): string[] {
  const assigned = [...sql.matchAll(/outcome := [^;]+;/g)].map(([text]) => text).join('\n');
  const results = [
    ...assigned.matchAll(/(?:then|:=) '([^']+)'/g),
    ...sql.matchAll(/select call\.place, '([^']+)'/g),
  ].map(([, text = '']) => text);
  const passed = /in \(([^)]+)\) then locked\.status/.exec(assigned)?.[1] ?? '';
  return [...results, ...[...passed.matchAll(/'(\w+)'/g)].map(([, text = '']) => text)];
}

test('a call has exactly the outcomes that the SQL functions state', () => {
  const stated = new Set(functions.flatMap((name) => outcomesIn(sqlOf(name))));
  expect([...stated].toSorted()).toEqual([...claimOutcomes].toSorted());
});
