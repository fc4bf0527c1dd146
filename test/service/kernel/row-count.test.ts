import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { page } from '#domain/kernel/lists/page.ts';
import { countRows } from '#domain/kernel/lists/row-count.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { aPricingModel, aResource } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { test } from '../../support/test.ts';

const fresh = ({ em, apiKeyId, ...scope }: Session) => openSession(em, scope, apiKeyId);

const total = (session: Session) => countRows(fresh(session), Resource, undefined);

const slots = async ({ em, pricingModelId }: Session) => {
  const sql = `select count(*)::int as n from row_count where relation = 'resource' and pricing_model_id = ?`;
  const [{ n }] = await em.fork().execute<[{ n: number }]>(sql, [pricingModelId]);
  return n;
};

const counted = async ({ em, pricingModelId }: Session) => {
  const sql = 'select count(*)::int as n from resource where pricing_model_id = ?';
  const [{ n }] = await em.fork().execute<[{ n: number }]>(sql, [pricingModelId]);
  return n;
};

/** Adds rows with one statement, as a bulk insert does. */
const addRows = (
  em: Session['em'],
  { livemode, organizationId, pricingModelId }: Session,
  rows: number,
) =>
  em.execute(
    `insert into resource (id, created_at, updated_at, livemode, organization_id, pricing_model_id, slug, name)
     select 'resource_' || gen_random_uuid(), now(), now(), ?, ?, ?, gen_random_uuid(), 'Row' from generate_series(1, ?)`,
    [livemode, organizationId, pricingModelId, rows],
  );

const removeRows = (em: Session['em'], { pricingModelId }: Session, rows: number) =>
  em.execute(
    `delete from resource where id in (
       select id from resource where pricing_model_id = ? limit ? for update skip locked)`,
    [pricingModelId, rows],
  );

class Rollback extends Error {}

/** One transaction of several statements, which is rolled back on request. */
const transaction = (
  { em }: Session,
  work: (em: Session['em']) => Promise<unknown>,
  fails: boolean,
) =>
  em
    .fork()
    .transactional(async (em) => {
      await work(em);
      if (fails) throw new Rollback();
    })
    .catch((error) => {
      if (!(error instanceof Rollback)) throw error;
    });

describe('The total of a list', () => {
  test('equals count(*) after inserts, deletes and rollbacks, all at once', async ({ session }) => {
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 4; round++) {
      const transactions = Array.from({ length: 25 }, () => {
        const [added, removed, more, fails] = [random(6), random(4), random(3), random(3) === 0];
        return transaction(
          session,
          async (em) => {
            await addRows(em, session, added);
            await removeRows(em, session, removed);
            await addRows(em, session, more);
          },
          fails,
        );
      });
      await Promise.all(transactions);
      const rows = await counted(session);
      expect(rows).toBeGreaterThan(0);
      expect(await total(session)).toBe(rows);
    }
  });

  test('is kept in one row, whatever number of connections there ever were', async ({
    session,
    database,
  }) => {
    for (let n = 0; n < 12; n++) {
      const client = new pg.Client({ connectionString: database.databaseUrl });
      await client.connect();
      await client.query(
        `insert into resource (id, created_at, updated_at, livemode, organization_id, pricing_model_id, slug, name)
         values ('resource_' || gen_random_uuid(), now(), now(), $1, $2, $3, gen_random_uuid(), 'Row')`,
        [session.livemode, session.organizationId, session.pricingModelId],
      );
      await client.end();
    }
    expect(await total(session)).toBe(12);
    expect(await slots(session)).toBe(1);
  });

  test('is added to without a wait by writers of several totals in opposite orders, in as many rows as there are writers', async ({
    session,
    database,
  }) => {
    const writers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client({ connectionString: database.databaseUrl });
        await client.connect();
        await client.query(`set lock_timeout = '2s'; begin`);
        return client;
      }),
    );
    const tenant = [session.livemode, session.organizationId, session.pricingModelId];
    const add = (client: pg.Client, table: 'resource' | 'usage_meter') =>
      client.query(
        `insert into ${table} (id, created_at, updated_at, livemode, organization_id, pricing_model_id, slug, name)
         values ('${table}_' || gen_random_uuid(), now(), now(), $1, $2, $3, gen_random_uuid(), 'Row')`,
        tenant,
      );
    for (let round = 0; round < 3; round++) {
      for (const [n, client] of writers.entries()) {
        await add(client, n % 2 ? 'resource' : 'usage_meter');
        await add(client, n % 2 ? 'usage_meter' : 'resource');
      }
    }
    await Promise.all(writers.map((client) => client.query('commit')));
    await Promise.all(writers.map((client) => client.end()));
    expect(await total(session)).toBe(12);
    expect(await slots(session)).toBeLessThanOrEqual(4);
  });

  test('is 0 for what never had a row, and again when all are gone', async ({ session }) => {
    expect(await total(session)).toBe(0);
    await transaction(session, (em) => addRows(em, session, 3), false);
    expect(await total(session)).toBe(3);
    await transaction(session, (em) => removeRows(em, session, 3), false);
    expect(await total(session)).toBe(0);
  });

  test('does not change by a transaction that is rolled back', async ({ session }) => {
    await aResource(session);
    await transaction(session, (em) => addRows(em, session, 10), true);
    await transaction(session, (em) => removeRows(em, session, 1), true);
    expect(await total(session)).toBe(1);
  });

  test('sees what its own transaction has added', async ({ session }) => {
    await fresh(session).em.transactional(async (em) => {
      await addRows(em, session, 2);
      expect(await countRows({ ...session, em }, Resource, undefined)).toBe(2);
    });
  });

  test('is each pricing model’s and each tenant’s own', async ({ session, database }) => {
    const other = await aTenant(database.orm.em);
    const sibling = await aPricingModel(session);
    await aResource(session);
    for (let n = 0; n < 2; n++) await aResource(sibling);
    for (let n = 0; n < 3; n++) await aResource(other.session);
    expect([await total(session), await total(sibling), await total(other.session)]).toEqual([
      1, 2, 3,
    ]);
  });

  test('with a filter is the number of rows that match', async ({ session }) => {
    await aResource(session, { slug: 'a' });
    await aResource(session, { slug: 'b' });
    expect(await countRows(fresh(session), Resource, { slug: 'a' })).toBe(1);
    expect(await countRows(fresh(session), Resource, { slug: undefined })).toBe(2);
  });
});

/** The feed is followed over the same connections; what it reads is not the test's. */
const ownStatements = (calls: { query?: string | undefined }[][]) =>
  calls
    .map(([call]) => call?.query ?? '')
    .filter((query) => !/"event"|sequence_events|event_head/.test(query));

describe('totalCount', () => {
  test('costs no statement unless it is selected, and one of constant cost when it is', async ({
    graphql,
    session,
    database,
  }) => {
    await aResource(session);
    const statements = async (fields: string) => {
      const log = vi.spyOn(database.orm.config.getLogger(), 'logQuery');
      const { errors } = await graphql(`{ resources { ${fields} } }`);
      const queries = ownStatements(log.mock.calls);
      log.mockRestore();
      expect(errors).toBeUndefined();
      return queries;
    };
    await statements('nodes { id }');
    expect(await statements('nodes { id }')).toEqual([expect.stringContaining('from "resource"')]);
    expect(await statements('nodes { id } totalCount')).toEqual([
      expect.stringContaining('from "resource"'),
      expect.stringContaining('from row_count'),
    ]);
  });

  test('of a page is computed when it is called, and only then', async ({ session, database }) => {
    const log = vi.spyOn(database.orm.config.getLogger(), 'logQuery');
    const { totalCount } = await page(fresh(session), Resource, {});
    const before = ownStatements(log.mock.calls).length;
    expect(await totalCount()).toBe(0);
    expect([before, ownStatements(log.mock.calls).length]).toEqual([1, 2]);
    log.mockRestore();
  });
});
