import { globSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { entities } from '#domain/entities.ts';
import { newId } from '#domain/kernel/ids.ts';
import { reservationStatuses } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim, releaseReasons } from '#domain/model/capacity/resource-claim.ts';
import { invoiceStatuses } from '#domain/model/invoicing/invoice.ts';
import { paymentStatuses } from '#domain/model/money/payment.ts';
import { eventTypes } from '#domain/model/platform/event-types.ts';
import { prepareDatabase } from '#server/database/database.ts';
import { readSqlFunctions } from '#server/database/sql-functions.ts';
import { sqlValues } from '#server/database/sql-values.ts';
import { wakeUpChannels } from '#server/database/wake-ups.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { query } from '../../../support/servers/old-database.ts';
import { schemaOf } from '../../../support/tables/schema-of.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const now = new Date();
const functions = await readSqlFunctions('public');
const all = functions.map(({ definition }) => definition).join('\n');

/** Every distinct text that an expression finds in the functions. */
const found = (pattern: RegExp) => new Set([...all.matchAll(pattern)].map(([, text = '']) => text));

describe('the functions of a database', () => {
  test('are those of the files, each once', async ({ database }) => {
    const rows = await query(
      database.databaseUrl,
      `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      functions.map(({ name }) => name).toSorted(),
    );
  });

  test('are applied again where they differ, and dropped without a file', async ({ database }) => {
    await using other = await cloneDatabase();
    await query(
      other.databaseUrl,
      `-- Another body, another result, other types of arguments, and one that has no file.
       create or replace function new_id(prefix text) returns text language sql as $$ select prefix $$;
       drop function resource_use;
       create function resource_use(of_subscription text, of_resource text, now_at timestamptz)
         returns bigint language sql as $$ select 1::bigint $$;
       drop function add_row_count;
       create function add_row_count(counted text) returns void language sql as '';
       create function removed(int) returns int language sql as $$ select 1 $$;
       update sql_function set digest = 'another' where name in ('new_id', 'resource_use', 'add_row_count');
       update sql_function set signature = 'add_row_count(text)' where name = 'add_row_count';
       insert into sql_function (name, signature, digest) values ('removed', 'removed(integer)', 'another')`,
    );
    await prepareDatabase(other.databaseUrl, { now });
    expect(await schemaOf(other.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
    const digests = 'select name, signature, digest from sql_function order by name';
    expect(await query(other.databaseUrl, digests)).toEqual(
      await query(database.databaseUrl, digests),
    );
  });

  test('are left alone by a start that finds them as they are', async ({ database }) => {
    const rows = () =>
      query(
        database.databaseUrl,
        `select oid::int, xmin::text from pg_proc where pronamespace = 'public'::regnamespace
        order by oid`,
      );
    const before = await rows();
    await prepareDatabase(database.databaseUrl, { now });
    expect(await rows()).toEqual(before);
  });

  test('are applied by one of two processes that start at once', async ({ database }) => {
    await using other = await cloneDatabase();
    await query(other.databaseUrl, `update sql_function set digest = 'another'`);
    await Promise.all([1, 2, 3].map(() => prepareDatabase(other.databaseUrl, { now })));
    expect(await schemaOf(other.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
  });
});

describe('what functions share with TypeScript', () => {
  test('events have types that exist', () => {
    const types = found(/'(resource_claim\.\w+)'/g);
    for (const verb of found(/emit_claim_events\(\w+, '(\w+)'/g))
      types.add(`resource_claim.${verb}`);
    expect(types.size).toBeGreaterThan(2);
    expect(eventTypes).toEqual(expect.arrayContaining([...types]));
    expect([...found(/new_id\('evt'\), '?[\w.]+'?(?: \|\| verb)?, '(\w+)'/g)]).toEqual([
      'ResourceClaim',
    ]);
  });

  test('events have all columns that have no default', async ({ database }) => {
    const rows = await query(
      database.databaseUrl,
      `select attname as name from pg_attribute
       where attrelid = 'event'::regclass and attnum > 0 and attnotnull and not atthasdef`,
    );
    const lists = [...all.matchAll(/insert into event(?: as \w+)? \(([^)]*)\)/g)];
    expect(lists).toHaveLength(5);
    for (const [, list = ''] of lists) {
      const columns = list.split(',').map((column) => column.trim());
      expect(columns).toEqual(
        expect.arrayContaining([...rows.map(({ name }) => name), 'customer_id', 'cause_id']),
      );
    }
  });

  test('claims are rendered with the columns that are not hidden', async ({ database }) => {
    const [{ data }] = await query(
      database.databaseUrl,
      `select resource_claim_json(jsonb_populate_record(null::resource_claim,
         '{"created_at": "2026-01-31T10:00:00.123Z", "livemode": false}')) as data`,
    );
    const { props } = database.orm.em.getMetadata(ResourceClaim);
    const shown = props.filter(({ hidden }) => !hidden).map(({ name }) => name);
    expect(Object.keys(data).toSorted()).toEqual(shown.toSorted());
    expect(data).toMatchObject({
      createdAt: Date.parse('2026-01-31T10:00:00.123Z'),
      livemode: false,
    });
  });

  test('ids are as those of the service', async ({ database }) => {
    const [{ id }] = await query(database.databaseUrl, `select new_id('res_claim') as id`);
    expect(id).toMatch(/^res_claim_[0-9A-Za-z]+$/);
    expect(id).toHaveLength(newId('res_claim').length);
    const prefixes = new Set(['evt']);
    for (const entity of entities) {
      const { props } = database.orm.em.getMetadata(entity as typeof ResourceClaim);
      const onCreate = props.find(({ name }) => name === 'id')?.onCreate;
      const made = onCreate?.({} as never, database.orm.em as never);
      if (typeof made === 'string') prefixes.add(made.replace(/_[^_]*$/, ''));
    }
    expect([...prefixes]).toEqual(expect.arrayContaining([...found(/new_id\('(\w+)'\)/g)]));
  });

  test('statuses and reasons exist', () => {
    const reasons = found(/release_reason = '(\w+)'/g);
    expect(releaseReasons).toEqual(expect.arrayContaining([...reasons]));
    expect([...found(/\bv\.status = '(\w+)'/g)]).toEqual(['held']);
    expect(reservationStatuses).toContain('held');
    for (const [name, statuses] of [
      ['count_invoiced', invoiceStatuses],
      ['count_paid', paymentStatuses],
    ] as const) {
      const { definition = '' } = functions.find((each) => each.name === name) ?? {};
      const [, list = ''] = /status (?:not )?in \(([^)]*)\)/.exec(definition) ?? [];
      const named = list.split(', ').map((status) => status.slice(1, -1));
      expect(named).toHaveLength(2);
      expect(statuses).toEqual(expect.arrayContaining(named));
    }
  });

  test('announcements have channels that are listened to, and nothing else notifies', () => {
    expect(found(/raise info '(\w+)'/g)).toEqual(new Set(wakeUpChannels));
    expect(all).not.toMatch(/pg_notify|\bnotify\b/i);
  });

  test('every value is used', () => {
    const texts = globSync('src/domain/**/sql/*.sql').map((file) => readFileSync(file, 'utf8'));
    const used = texts.flatMap((text) =>
      [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name),
    );
    expect(new Set(used)).toEqual(new Set([...Object.keys(sqlValues), 'schema']));
  });
});
