import { expect, test } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import type { JsonSchema } from '#rest/openapi/schemas.ts';
import { schema } from '#schema/index.ts';
import { isExtra, published } from '../../support/answers/answers.ts';

/** A document whose schemas refer to its parts. */
type Whole = Readonly<Record<string, unknown>>;

/** The paths of all keys of answers with a schema, each with whether only the preference shows it. */
function keysOf(document: Whole, of: JsonSchema, at = '', keys = new Map<string, boolean>()) {
  const { $ref, items, properties = {}, required = [] } = of;
  if ($ref) {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Whole)[decodeURIComponent(key)], document);
    keysOf(document, found as JsonSchema, at, keys);
  }
  const parts = [...(of.anyOf ?? []), ...(of.oneOf ?? []), ...((of.allOf as JsonSchema[]) ?? [])];
  for (const part of parts) keysOf(document, part, at, keys);
  if (items) keysOf(document, items, `${at}[]`, keys);
  for (const [name, property] of Object.entries(properties)) {
    const path = `${at}.${name}`;
    keys.set(path, isExtra(property) && !required.includes(name));
    keysOf(document, property, path, keys);
  }
  return keys;
}

/** Keys of the specification, which wins over the published interface. */
const specified = /^\.apiKey\.idpHostedBillingUserId$|\.(created|updated)ByCommit$/;
const withDryRun = /^\.effects\b/;

const description = JSON.parse(JSON.stringify(openApiOf(routes, schema)));
const successOf = (operation: string): JsonSchema => {
  const [method = '', path = ''] = operation.split(' ');
  return description.paths[path][method.toLowerCase()].responses[200].content['application/json']
    .schema;
};

/** The exported document is refused with such keys, and is checked where it is exported. */
const documents = new Set(
  routes.flatMap(({ method, path, extraKeys }) =>
    extraKeys ? [`${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`] : [],
  ),
);
const operations = Object.entries(published.operations).filter(([name]) => !documents.has(name));

test('no answer has a key that is not published, unless the caller prefers all', () => {
  const beyond = operations.flatMap(([operation, answers]) => {
    const known = keysOf(published as unknown as Whole, answers[200] as JsonSchema);
    const own = keysOf(description, successOf(operation));
    const extras = [...own].flatMap(([path, extra]) => (extra ? [path] : []));
    const isHidden = (path: string) =>
      extras.some((key) => path.startsWith(key) && /^($|[.[])/.test(path.slice(key.length)));
    return [...own.keys()]
      .filter((path) => !known.has(path) && !specified.test(path) && !withDryRun.test(path))
      .filter((path) => !isHidden(path))
      .map((path) => `${operation} ${path}`);
  });
  expect(beyond).toEqual([]);
});
