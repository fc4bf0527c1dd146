import { type FieldNode, Kind } from 'graphql';
import { expect, test } from 'vitest';
import type { OwnTexts } from '#domain/kernel/inputs/own-texts.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';
import { isExtra } from '#rest/engine/extras.ts';
import { routes } from '#rest/index.ts';

/** The fields of a record in REST, each with whether only a preference shows it. */
function fieldsOf(record: string): ReadonlyMap<string, boolean> {
  const documents = routes.map(({ document, whole }) => whole?.marked ?? document);
  const fragment = documents
    .flatMap(({ definitions }) => definitions)
    .find((part) => part.kind === Kind.FRAGMENT_DEFINITION && part.name.value === record);
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`REST has no ${record}`);
  const fields = fragment.selectionSet.selections.filter(({ kind }) => kind === Kind.FIELD);
  return new Map((fields as FieldNode[]).map((field) => [field.name.value, isExtra(field)]));
}

test.for<readonly [string, OwnTexts, string]>([
  ['Customer', customerTexts, 'rest/platform/customers.ts'],
])('the own texts of a %s are in REST as they state', ([record, texts, file]) => {
  const fields = fieldsOf(record);
  for (const [name, { rest }] of Object.entries(texts)) {
    const isThere = rest === 'never' ? undefined : rest === 'extra';
    expect(fields.get(name), `${name} in the fragment of ${file}`).toBe(isThere);
  }
});
