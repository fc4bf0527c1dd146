// @module-tag long
import { describe, expect } from 'vitest';
import { oneOfEach } from '../../../support/records/one-of-each.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

/** The tables whose rows belong to no organization, or only to a process for seconds. */
const withoutOrganization = [
  'cron_run',
  'mikro_orm_migrations',
  'organization',
  'secrets_key',
  'sign_in_attempt',
  'sql_function',
  'usage_event_inbox_lease',
  'usage_event_month',
  'usage_stream_cursor',
];

/** The sums of the counters of an organization. */
const counted = `
  select 'rows ' || relation || pricing_model_id as name, sum(rows)::text as total from row_count
    where organization_id = ? group by 1 having sum(rows) <> 0
  union all
  select concat_ws(' ', 'statistic', pricing_model_id, series, product_id, day, currency), concat_ws(' ', sum(count), sum(amount)::float)
    from statistic_day where organization_id = ? group by 1 having sum(count) <> 0 or sum(amount) <> 0
  union all
  select concat_ws(' ', 'claims', subscription_id, resource_id, expires_at), claimed::text from resource_claim_count
    where organization_id = ? and claimed <> 0
  order by 1`;

describe('the rows of an organization', () => {
  test('name it in every table', async ({ session: { em } }) => {
    const found = await em.execute<{ name: string }[]>(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
         and c.relkind in ('r', 'p') and not exists (select from pg_attribute a where a.attrelid = c.oid
           and a.attname = 'organization_id' and a.attnotnull) order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(withoutOrganization);
  });

  test('name the organization of the rows that they refer to', async ({ session, database }) => {
    const { em } = session;
    await oneOfEach(session);
    await oneOfEach((await aTenant(database.orm.em)).session);
    const references = await em.execute<{ sql: string }[]>(
      `select format('select %1$L as name from %2$s c join %3$s p on p.%4$I = c.%5$I where c.organization_id <> p.organization_id',
         conrelid::regclass || ' ' || conname, conrelid::regclass, confrelid::regclass, parent.attname, child.attname) as sql
       from pg_constraint
         join pg_attribute child on child.attrelid = conrelid and child.attnum = conkey[1]
         join pg_attribute parent on parent.attrelid = confrelid and parent.attnum = confkey[1]
       where contype = 'f' and confrelid <> 'organization'::regclass
         and connamespace = current_schema()::regnamespace and child.attname not in ('organization_id')`,
    );
    expect(references.length).toBeGreaterThan(80);
    expect(await em.execute(references.map(({ sql }) => sql).join(' union all '))).toEqual([]);
    const keys = await em.execute<{ own: number; other: number }[]>(
      `select count(*) filter (where k.organization_id = e.organization_id)::int as own,
         count(*) filter (where k.organization_id <> e.organization_id)::int as other
       from usage_event_key k join usage_event e on e.id = k.id`,
    );
    expect(keys).toEqual([{ own: expect.toSatisfy((own: number) => own > 1), other: 0 }]);
  });

  test('cannot name another one than the row that they belong to', async ({
    session,
    database,
  }) => {
    const { em } = session;
    await oneOfEach(session);
    const { organizationId } = (await aTenant(database.orm.em)).session;
    for (const table of ['usage_total', 'usage_hour', 'mrr_change', 'billing_period_item']) {
      await expect(
        em.execute(`update ${table} set organization_id = ? where organization_id = ?`, [
          organizationId,
          session.organizationId,
        ]),
      ).rejects.toThrow('violates foreign key constraint');
    }
  });
});

describe('counting an organization again', () => {
  const recount = (em: { execute(sql: string, values: unknown[]): Promise<unknown> }, id: string) =>
    em.execute('select * from recount_organization(?)', [id]);

  test('finds no difference, and restores counters that are lost or wrong', async ({
    session,
    database,
  }) => {
    const { em, organizationId: id } = session;
    await oneOfEach(session);
    const other = (await aTenant(database.orm.em)).session;
    await oneOfEach(other);
    const totals = (of: string) => em.execute<object[]>(counted, [of, of, of]);
    const [before, ofOther] = [await totals(id), await totals(other.organizationId)];
    expect(before.length).toBeGreaterThan(20);
    expect(await recount(em, id)).toEqual([]);
    for (const damage of [
      `delete from %t`,
      `update row_count set rows = rows + 5 where organization_id = '${id}'`,
      `update statistic_day set count = count - 2, amount = amount + 0.5 where organization_id = '${id}'`,
    ]) {
      for (const table of ['row_count', 'statistic_day', 'resource_claim_count']) {
        await em.execute(damage.replace('%t', `${table} where organization_id = '${id}'`));
      }
      expect(await totals(id)).not.toEqual(before);
      expect(await recount(em, id)).not.toEqual([]);
      expect(await totals(id)).toEqual(before);
      expect(await recount(em, id)).toEqual([]);
    }
    expect(await totals(other.organizationId)).toEqual(ofOther);
  });
});
