import { readdirSync, readFileSync } from 'node:fs';
import {
  type GraphQLEnumType,
  type GraphQLScalarType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printSchema,
} from 'graphql';
import { describe, expect } from 'vitest';
import { entities, tenantEntities } from '#domain/entities.ts';
import type { ApiKey } from '#domain/model/platform/api-key.ts';
import { eventTypes } from '#domain/model/platform/event-types.ts';
import { routes } from '#rest/index.ts';
import { payloadName } from '#schema/engine/payload.ts';
import { schema } from '#schema/index.ts';
import { testAlone } from '../support/test.ts';

const test = testAlone('it changes the database or its connections');

/** The segments of each area: the words of the URL, of the commands, and of the files of the graph and of REST. */
const { segments } = JSON.parse(readFileSync('src/domain/areas.json', 'utf8')) as {
  readonly segments: Readonly<Record<string, readonly string[]>>;
};
/** Segments without a URL of their own: they belong to every resource. */
const internal = new Set(['causes', 'organizations', 'idempotency', 'statistics']);
/** Segments that the graph serves alone: the REST interface is fixed. */
const graphOnly = new Set(['operators', 'processors']);
const resources = Object.entries(segments).flatMap(([area, names]) =>
  names.filter((name) => !internal.has(name)).map((name) => ({ area, name })),
);

test('the printed schema is the one in review', async () => {
  await expect(`${printSchema(schema)}\n`).toMatchFileSnapshot('../../schema/schema.graphql');
});

describe.each(['schema', 'rest'])('%s/index.ts', (folder) => {
  const served = resources.filter(({ name }) => folder === 'schema' || !graphOnly.has(name));
  test.for(served)('knows $area/$name', ({ area, name }) => {
    expect(readFileSync(`${folder}/index.ts`, 'utf8')).toContain(`./${area}/${name}.ts'`);
  });
});

test('every entity file is registered', () => {
  const defined = readdirSync('src/domain/model', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap(
      (file) =>
        /\.setClass\((\w+)\)/.exec(readFileSync(`src/domain/model/${file}`, 'utf8'))?.[1] ?? [],
    );
  const known = entities.map(({ name }) => name);
  for (const name of defined) expect(known).toContain(name);
});

test('a path and method is in the table of endpoints once', () => {
  const endpoints = routes.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});

test('every type, field and argument of the graph states what it is', () => {
  const silent: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (
      type.name.startsWith('__') ||
      ['String', 'Int', 'Boolean', 'ID', 'Float'].includes(type.name)
    )
      continue;
    if (!type.description) silent.push(type.name);
    if (isEnumType(type) || !('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.description) silent.push(`${type.name}.${field.name}`);
      for (const argument of ('args' in field && field.args) || []) {
        if (!argument.description) silent.push(`${type.name}.${field.name}(${argument.name})`);
      }
    }
  }
  expect(silent).toEqual([]);
});

/** The ways in which a description states the largest number of objects in a list. */
const bounds =
  /at most (the newest |the last )?\d|(one )?for each currency|each status|more than [\d,]+/i;

test('every list of objects has pages, or states its largest number', () => {
  const boundless: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || /^__|Connection$|ListChange$/.test(type.name)) continue;
    for (const { name, type: list, description } of Object.values(type.getFields())) {
      if (!isListType(getNullableType(list)) || !isCompositeType(getNamedType(list))) continue;
      // A live field has the bound of the query that it names.
      const query = /Errors: as (\w+)\./.exec(description ?? '')?.[1] ?? '';
      const stated = schema.getQueryType()?.getFields()[query]?.description ?? description;
      if (!bounds.test(stated ?? '')) boundless.push(`${type.name}.${name}`);
    }
  }
  expect(boundless).toEqual([]);
});

test('every scalar of the graph names its specification', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(scalars.length).toBeGreaterThan(5);
  for (const scalar of scalars) {
    expect((scalar as GraphQLScalarType).specifiedByURL, scalar.name).toMatch(/^https:/);
  }
});

test('every event type has a value of its own in the enum of event types', () => {
  const names = schema.getType('EventTypeName') as GraphQLEnumType;
  const values = names.getValues().map(({ value }) => value);
  expect(values.sort()).toEqual([...eventTypes].sort());
});

test('every record can be read by id, listed and watched', () => {
  const query = schema.getQueryType()?.getFields() ?? {};
  const subscription = schema.getSubscriptionType()?.getFields() ?? {};
  for (const { name } of tenantEntities) {
    const one = name.replace(/^./, (letter) => letter.toLowerCase());
    expect(getNamedType(query[one]?.type)?.name, one).toBe(name);
    expect(getNamedType(query[`${one}s`]?.type)?.name, `${one}s`).toBe(`${name}Connection`);
    expect(getNamedType(subscription[`${one}Changed`]?.type)?.name, `${one}Changed`).toBe(name);
  }
});

test('every mutation is named by its verb and takes validated input', () => {
  const mutation = schema.getMutationType()?.getFields() ?? {};
  for (const [name, field] of Object.entries(mutation)) {
    expect(name).toMatch(/^[a-z]+[A-Z]/);
    expect(field.extensions.ranges, `${name} needs validate: { schema }`).toBeDefined();
    for (const { type } of field.args) {
      const input = getNamedType(type);
      expect(isObjectType(input) || (isInputObjectType(input) && !input.description)).toBe(false);
    }
  }
});

test('every mutation answers a payload of its own, whose fields are named by what they hold', () => {
  for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const answer = schema.getType(payloadName(name));
    expect(type, name).toBe(answer);
    if (!isObjectType(answer)) throw new Error(`${name} answers no object`);
    for (const field of Object.values(answer.getFields())) {
      const object = getNullableType(field.type);
      if (!isObjectType(object)) continue;
      const held = object.name.toLowerCase();
      expect(held.endsWith(field.name.toLowerCase()), `${answer.name}.${field.name}`).toBe(true);
    }
  }
});

test('events exist for every record', () => {
  for (const { name } of tenantEntities) {
    const kind = name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    expect(eventTypes).toContain(`${kind}.created`);
    expect(eventTypes).toContain(`${kind}.updated`);
  }
});

describe('the database', () => {
  test.for(tenantEntities.map((entity) => ({ name: entity.name, entity })))(
    'keeps $name inside its tenant and counts it',
    async ({ entity }, { database }) => {
      const { tableName } = database.orm.em.getMetadata(entity as typeof ApiKey);
      const triggers = await database.orm.em.execute<{ tgname: string }[]>(
        `select tgname from pg_trigger where tgrelid = ?::regclass and tgname like 'count%' order by 1`,
        [tableName],
      );
      expect(triggers.map(({ tgname }) => tgname)).toEqual(['count_added', 'count_removed']);
      const constraints = await database.orm.em.execute(
        `select 1 from pg_constraint where conrelid = ?::regclass and conname = ?`,
        [tableName, `${tableName}_tenant`],
      );
      expect(constraints).toHaveLength(1);
    },
  );

  test('differs from the entities in nothing but what only SQL can state', async ({ database }) => {
    const sql = await database.orm.schema.getUpdateSchemaSQL({ wrap: false });
    const expected =
      /^(alter table "\w+" drop constraint "\w+_(tenant|tenant_unique|currency|currency_unique|owner|owner_unique|terms|terms_unique|organization|no_overlap)"|alter table "sandbox_notice" alter column "id" drop default|drop trigger if exists "(origin|count_(added|removed)|digest_forgotten|announced(_new|_changed)?|terms_kept|payment_kept|invoice_kept|ledger_kept|currency_kept|credit_note(_line)?_(kept|stays)|parties_(named|kept)|(consolidation|consolidated_invoice)_kept|member_numbered|taxes_(checked|kept)|logo_kept|links_hidden|credited_(added|changed)|lines_checked|remittance_(kept|stays|added|changed|paid)|dispute_kept|redemption_(released|removed)|charge_(added|settled)|(revenue|claims|owed|mrr|status|statistic)_(added|changed|removed))".*|drop function if exists .*|drop procedure if exists .*);$/;
    const rest = sql.split('\n').filter((line) => line.trim() !== '' && !expected.test(line));
    const keys = await database.orm.em
      .fork()
      .execute<{ name: string; definition: string }[]>(
        "select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'f'",
      );
    const wider = new Map(keys.map(({ name, definition }) => [name, definition]));
    const own = rest.filter((line) => !isWithinOwner(line, wider));
    expect(own).toEqual([]);
  });
});

/** Whether a change of a foreign key only leaves out that it keeps a reference inside its pricing model or organization. */
function isWithinOwner(line: string, keys: ReadonlyMap<string, string>): boolean {
  const [, name = '', added] =
    /^alter table "\w+" (?:drop|add) constraint "(\w+_foreign)"(?: (foreign key .*))?;$/.exec(
      line,
    ) ?? [];
  const present = keys.get(name)?.toLowerCase() ?? '';
  const [, owner] = /, (pricing_model_id|organization_id)\) references/.exec(present) ?? [];
  if (added === undefined) return owner !== undefined;
  const [, column, parent, action] =
    /^foreign key \("(\w+)"\) references "(\w+)" \("id"\) (.*)$/.exec(added) ?? [];
  const nulls = action === 'on delete set null' ? ` (${column})` : '';
  return (
    present ===
    `foreign key (${column}, ${owner}) references ${parent}(id, ${owner}) ${action}${nulls}`
  );
}

test('code finds the files of the repository from its root, since the bundle has other folders', () => {
  const own = ['src', 'schema', 'rest'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
  );
  const relative = own.filter((file) =>
    /import\.meta\.(dirname|filename)|new URL\([^)]*import\.meta\.url/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(relative).toEqual(['src/engines/process/root.ts']);
});
