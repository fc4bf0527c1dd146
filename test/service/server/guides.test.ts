import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { type GraphQLEnumType, parse, validate } from 'graphql';
import { describe, expect } from 'vitest';
import { guideNames, readGuide } from '#rest/guides/index.ts';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';
import { guidePage, renderedGuides } from '#server/docs/guide-page.ts';
import { anchorOf } from '#server/docs/render-guide.ts';
import type { Gateway } from '#server/yoga.ts';
import { test } from '../../support/test.ts';
import { scalars } from '../../system/clients/codegen.ts';

const repository = resolve(import.meta.dirname, '../../..');
const folder = join(repository, 'rest/guides');

const anchorsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const linksOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);

test('every guide is in the index once, with a title as its first line', async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  expect(guideNames.map((name) => `${name}.md`).toSorted()).toEqual(files.toSorted());
  for (const name of guideNames) expect(await readGuide(name)).toMatch(/^# \S.*\n\n/);
});

test.for(guideNames)('every GraphQL document of the guide %s fits the graph', async (name) => {
  for (const [, source = ''] of (await readGuide(name)).matchAll(/```graphql\n([\s\S]*?)```/g)) {
    expect(validate(schema, parse(source)).map(({ message }) => message)).toEqual([]);
  }
});

/** The TypeScript and JavaScript of a guide, as JavaScript. */
const programsIn = async (name: string) =>
  [...(await readGuide(name)).matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, source = '']) =>
    stripTypeScriptTypes(source),
  );

test.for(guideNames)(
  'every program of the guide %s is valid, and so is what it names',
  async (name) => {
    for (const source of await programsIn(name)) {
      const imports = source.matchAll(/^import \{ (.+) \} from '(.+)';$/gm);
      for (const [, names = '', from = ''] of imports) {
        expect(Object.keys(await import(from))).toEqual(expect.arrayContaining(names.split(', ')));
      }
      const body = source.replaceAll(/^import .*$/gm, '');
      // Compiled, but not executed: a page would call a service.
      expect(() => new AsyncFunction(body), source).not.toThrow();
      for (const [, document = ''] of source.matchAll(/query: `([^`]+)`/g)) {
        expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
      }
    }
    for (const [, source = ''] of (await readGuide(name)).matchAll(/```json\n([\s\S]*?)```/g)) {
      expect(() => JSON.parse(source), source).not.toThrow();
    }
  },
);

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;

test('the function of the guide to live lists applies each kind of change', async () => {
  const [source = ''] = await programsIn('live-lists');
  const apply = await new AsyncFunction(`${source}; return apply;`)();
  const rows = new Map([['gone', { id: 'gone' }]]);
  const change = (kind: string, ...ids: string[]) =>
    (apply as (...args: unknown[]) => void)(rows, {
      kind,
      ids,
      nodes: kind === 'left' ? [] : ids.map((id) => ({ id, kind })),
    });
  change('snapshot', 'a', 'b');
  change('entered', 'c');
  change('changed', 'b');
  change('left', 'a');
  expect([...rows.values()]).toEqual([
    { id: 'b', kind: 'changed' },
    { id: 'c', kind: 'entered' },
  ]);
});

test('the scalars and the root types of the guide to clients are those of the graph', async () => {
  const programs = await programsIn('graphql-clients');
  const values = await Promise.all(
    programs.map((source) => {
      const [, name] = /^const (\w+) = /.exec(source) ?? [];
      return new AsyncFunction(`${source}; return ${name};`)();
    }),
  );
  expect(values).toContainEqual({ schema: 'schema/schema.graphql', config: { scalars } });
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const [queryType, mutationType, subscriptionType] = roots.map((type) => ({ name: type?.name }));
  expect(values).toContainEqual({ __schema: { queryType, mutationType, subscriptionType } });
});

test('every setting is in the guide to settings', async () => {
  const guide = await readGuide('settings');
  for (const file of ['environment.ts', 'limits.ts']) {
    const source = await readFile(join(repository, 'src/settings', file), 'utf8');
    const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(guide).toContain(`\`${name}\``);
  }
});

test('every code of an issue is in the guide to errors, as the graph describes it', async () => {
  const rows = (schema.getType('IssueCode') as GraphQLEnumType)
    .getValues()
    .map(({ name, description }) => `| \`${name}\` | ${description} |\n`);
  expect(rows.length).toBeGreaterThan(15);
  const [, codes = ''] = (await readGuide('errors')).split('## All codes\n');
  const [, table] = codes.split('|---|---|\n');
  expect(table).toBe(rows.join(''));
});

test('every operation that an atomic mutation refuses is in the guide to safe changes', async () => {
  const guide = await readGuide('safe-changes');
  const [, listed = ''] = /An atomic mutation refuses them: (.*)\./.exec(guide) ?? [];
  const refused = Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ extensions }) => extensions.inSteps)
    .map(({ name }) => name);
  const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(refused.toSorted());
});

describe('guides name only what is there:', async () => {
  const sources = ['src', 'schema', 'rest', 'bench', 'test/system/clients'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,js,graphql}`, { cwd: repository }),
  );
  const texts = await Promise.all(
    [...sources, 'package.json'].map((file) => readFile(join(repository, file), 'utf8')),
  );
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const paths = new Set(
    routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`),
  );

  test.for(guideNames)('%s', async (name) => {
    const guide = (await readGuide(name)).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
    const named = [...guide.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const unknown = named.filter((text) => {
      const [, method, path = ''] =
        /^(GET|POST|PUT|DELETE) (?:\/api\/v1)?(\/[a-z][^\s?]*)$/.exec(text) ?? [];
      if (method) return !isRoute(`${method} ${path.replace(/\{\w+\}/g, '{}')}`, name);
      return /^[a-z]+(_[a-z]+)+$|^[a-z]+[A-Z]\w*$/.test(text) && !words.has(text);
    });
    expect(unknown).toEqual([]);
  });

  /** Endpoints of the service itself are not part of REST, and the table of deliveries shortens its paths. */
  function isRoute(route: string, guide: string) {
    if (/ \/(health|ready|metrics)$/.test(route)) return true;
    if (guide === 'operators' && / \/auth\//.test(route)) return true;
    if (paths.has(route)) return true;
    return guide === 'events-and-webhooks' && paths.has(route.replace(' /', ' /webhooks/{}/'));
  }
});

describe.each(guideNames)('/docs/%s', (name) => {
  test('links to what is there, by relative addresses', async ({ gateway }) => {
    const html = (await guidePage(name)) ?? '';
    const anchors = anchorsOf(html);
    expect(new Set(anchors).size).toBe(anchors.length);
    const address = `http://test/below/docs/${name}`;
    for (const href of linksOf(html)) {
      const { origin, pathname, hash } = new URL(href, address);
      if (origin !== 'http://test') expect(href).toMatch(/^https:/);
      else await expectThere(gateway, pathname, hash.slice(1));
    }
  });

  async function expectThere(gateway: Gateway, path: string, anchor: string) {
    expect(path).toMatch(/^\/below\//);
    const own = path.replace('/below', '');
    const response = await gateway.fetch(`http://test${own}`, { headers: { accept: 'text/html' } });
    expect(response.status, own).toBe(200);
    if (anchor) expect(anchorsOf(await response.text())).toContain(anchor);
  }
});

test('a guide is a page that runs no script of its own text and loads nothing from elsewhere', async ({
  gateway,
}) => {
  const response = await gateway.fetch('http://test/docs/taxes');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  const html = await response.text();
  expect(html).toContain('<a href="taxes" aria-current="page">Taxes</a>');
  expect(html).toContain('<h1>Taxes</h1>');
  for (const href of [...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)]) {
    expect(href[1]).not.toMatch(/^(\/|https?:)/);
  }
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on[a-z]+="/);
});

test('an unknown guide is not found, as any other path', async ({ gateway }) => {
  for (const path of [
    'nothing',
    'index',
    'index.ts',
    'taxes.txt',
    '..%2Fguides%2Ftaxes',
    'constructor',
  ]) {
    const response = await gateway.fetch(`http://test/docs/${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('anchors are those that code hosts make, and text is escaped', async () => {
  expect(anchorOf('Upgrade at once')).toBe('upgrade-at-once');
  expect(anchorOf('`POST /prices`, then?')).toBe('post-prices-then');
  const { html } = (await renderedGuides()).get('secrets') ?? { html: '' };
  expect(html).toContain('&lt;new&gt;');
});

test('every guide has its Markdown at an address, and all of them are in the documents for language models', async ({
  gateway,
}) => {
  const read = async (path: string) => {
    const answer = await gateway.fetch(`http://test${path}`);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    };
  };
  const list = await read('/llms.txt');
  expect(list).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' });
  const lines = list.text.split('\n').filter((line) => line.includes('/docs/'));
  expect(lines).toHaveLength(guideNames.length);
  for (const line of lines) {
    const [, address = ''] = /^- \[[^\]]+\]\(([^)]+)\): \S.*\.$/.exec(line) ?? [];
    const { status, text } = await read(address);
    expect({ line, status }).toEqual({ line, status: 200 });
    expect((await read('/llms-full.txt')).text).toContain(text);
  }
  expect((await read('/docs/none.md')).status).toBe(404);
});
