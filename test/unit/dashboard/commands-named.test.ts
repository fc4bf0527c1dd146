import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import type { CallerScope } from '#domain/kernel/access-scopes.ts';
import { rootFields } from '#schema/engine/access.ts';
import { mutationScopes } from '#schema/engine/access-table.ts';

const source = path.join(import.meta.dirname, '../..', '..', 'dashboard', 'src');

/** The texts of the files of the dashboard that match a pattern. */
async function textsOf(pattern: string) {
  const texts: string[] = [];
  for await (const file of glob(pattern, { cwd: source })) {
    if (!file.includes('.generated.')) texts.push(await readFile(path.join(source, file), 'utf8'));
  }
  return texts;
}

/** The scopes that each caller who signs in has. */
const scopesOfAll: readonly CallerScope[] = ['read', 'account_write'];

test('each mutation of the dashboard that a role may lack is named by a button', async () => {
  const names = (await textsOf('**/*.graphql'))
    .map((text) => parse(text))
    .flatMap((document) =>
      document.definitions.flatMap((one) =>
        'operation' in one && one.operation === 'mutation'
          ? [...rootFields(document, one.selectionSet)].map(({ name }) => name.value)
          : [],
      ),
    )
    .filter((name) => !scopesOfAll.some((scope) => scope === mutationScopes[name]));
  const text = (await textsOf('**/*.tsx')).join('\n');
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !RegExp(`['"]${name}['"]`).test(text))).toEqual([]);
});
