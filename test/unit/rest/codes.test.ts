import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issueCodes } from '#domain/kernel/issue-codes.ts';
import { statuses } from '#rest/engine/errors.ts';

const sourcesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(folder, file), 'utf8'));

/** Codes of the server's packages that it has no way to answer: it reads bodies itself, and no forms. */
const unreachable = ['REQUEST_ENTITY_TOO_LARGE'];

const writtenIn = (sources: readonly string[]) =>
  sources.flatMap((source) =>
    [...source.matchAll(/\bcode'?\]? ?(?::|\|\|=) ?'([A-Z][A-Z_]+)'/g)].map(
      ([, code = '']) => code,
    ),
  );

test('the guide about errors explains each code that an answer can have', () => {
  const guide = readFileSync('rest/guides/errors.md', 'utf8');
  const codes = new Set([
    ...Object.keys(statuses),
    ...issueCodes,
    ...['src', 'schema', 'rest'].flatMap((folder) => writtenIn(sourcesIn(folder, '.ts'))),
    ...writtenIn(sourcesIn('node_modules/graphql-yoga/cjs', '.js')),
  ]);
  expect(codes).toContain('GRAPHQL_PARSE_FAILED');
  expect(codes).toContain('PERSISTED_QUERY_NOT_FOUND');
  const missing = [...codes].filter((code) => !guide.includes(`\`${code}\``));
  expect(missing).toEqual(unreachable);
});
