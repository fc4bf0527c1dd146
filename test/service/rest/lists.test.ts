import { describe, expect } from 'vitest';
import { aPricingModel, aProduct, aToggle, aUsageMeter } from '../../support/factories.ts';
import { aKey, aTenant } from '../../support/tenant.ts';
import { type Answer, apiOf, test } from '../../support/test.ts';

const lists = [
  '/features',
  '/prices',
  '/pricing-models',
  '/product-features',
  '/products',
  '/usage-meters',
] as const;

const meters = '/usage-meters';
const ids = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id);

describe('The envelope', () => {
  test.for(lists)(
    'of an unpaged %s has exactly data, hasMore and total',
    async (path, { api, session }) => {
      const toggle = await aToggle(session);
      await aProduct(session, { featureIds: [toggle.id] });
      await aUsageMeter(session);
      const { status, body } = await api('GET', path);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total']);
      expect(body).toMatchObject({ hasMore: false, total: body.data.length });
      expect(body.total).toBeGreaterThan(0);
    },
  );

  test('names the cursor it was asked with and, while rows follow, the next one', async ({
    api,
    session,
  }) => {
    for (let n = 0; n < 5; n++) await aUsageMeter(session);
    const first = await api('GET', `${meters}?limit=2`);
    expect(Object.keys(first.body)).toEqual(['data', 'hasMore', 'total', 'nextCursor']);
    const { nextCursor } = first.body;
    const second = await api('GET', `${meters}?limit=2&cursor=${nextCursor}`);
    expect(Object.keys(second.body)).toEqual([
      'data',
      'hasMore',
      'total',
      'currentCursor',
      'nextCursor',
    ]);
    expect(second.body.currentCursor).toBe(nextCursor);
    const third = await api('GET', `${meters}?limit=2&cursor=${second.body.nextCursor}`);
    expect(Object.keys(third.body)).toEqual(['data', 'hasMore', 'total', 'currentCursor']);
    expect(
      [first, second, third].map(({ body }) => [body.data.length, body.hasMore, body.total]),
    ).toEqual([
      [2, true, 5],
      [2, true, 5],
      [1, false, 5],
    ]);
    const all = await api('GET', meters);
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(ids(all));
  });

  test('of a full last page does not promise another', async ({ api, session }) => {
    for (let n = 0; n < 2; n++) await aUsageMeter(session);
    const { body } = await api('GET', `${meters}?limit=2`);
    expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total']);
    expect(body.hasMore).toBe(false);
  });

  test('of an empty list', async ({ api }) => {
    const { status, body } = await api('GET', meters);
    expect({ status, body }).toEqual({ status: 200, body: { data: [], hasMore: false, total: 0 } });
  });

  test('a row that comes in between moves no later page', async ({ api, session }) => {
    for (let n = 0; n < 3; n++) await aUsageMeter(session);
    // The service has a clock of its own, which may be some milliseconds behind the clock of the test.
    await session.em
      .fork()
      .execute(
        `update usage_meter set created_at = created_at - interval '1 minute' where pricing_model_id = ?`,
        [session.pricingModelId],
      );
    const first = await api('GET', `${meters}?limit=2`);
    await api('POST', meters, { usageMeter: { name: 'Late', slug: 'late' } });
    const second = await api('GET', `${meters}?limit=2&cursor=${first.body.nextCursor}`);
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(4);
    expect(second.body).toMatchObject({ total: 4, hasMore: false });
  });
});

describe('limit', () => {
  test('is 10 when absent, and may be 1 to 100', async ({ api, session }) => {
    await session.em.fork().execute(
      `insert into usage_meter (id, created_at, updated_at, livemode, organization_id, pricing_model_id, name, slug)
       select pricing_model.id || n, now(), now(), livemode, organization_id, pricing_model.id, 'Meter', 'meter-' || n
       from pricing_model, generate_series(1, 101) n where pricing_model.id = ?`,
      [session.pricingModelId],
    );
    for (const [query, length] of [
      ['', 10],
      ['?limit=1', 1],
      ['?limit=100', 100],
    ] as const) {
      const { status, body } = await api('GET', `${meters}${query}`);
      expect(status).toBe(200);
      expect(body.data).toHaveLength(length);
      expect(body).toMatchObject({ hasMore: true, total: 101 });
    }
  });

  test.for(['0', '-1', '101', '1.5', 'ten', '', '1e1', '99999999999', '5&limit=5'])(
    '400 for %s',
    async (limit, { api }) => {
      for (const path of lists) {
        const { status, body } = await api('GET', `${path}?limit=${limit}`);
        expect({ status, body }).toEqual({
          status: 400,
          body: {
            code: 'BAD_REQUEST',
            message: 'Invalid input data',
            issues: [{ message: expect.stringMatching(/^limit: /) }],
          },
        });
      }
    },
  );
});

describe('cursor', () => {
  test.for(['', 'x', 'eyJpZCI6MX0', 'bnVsbA', 'W10', '%00', 'a&cursor=b'])(
    '400 for «%s», which is none',
    async (cursor, { api }) => {
      for (const path of lists) {
        const { status, body } = await api('GET', `${path}?cursor=${cursor}`);
        expect(status).toBe(400);
        expect(body.issues).toEqual([{ message: expect.stringMatching(/^cursor: /) }]);
      }
    },
  );

  test('400 for one of another list, tenant, mode or pricing model', async ({
    api,
    gateway,
    session,
    database,
  }) => {
    for (let n = 0; n < 2; n++) await aUsageMeter(session);
    const { body } = await api('GET', `${meters}?limit=1`);
    const foreign = [
      await api('GET', `/products?cursor=${body.nextCursor}`),
      await apiOf(gateway, (await aTenant(database.orm.em)).key)(
        'GET',
        `${meters}?cursor=${body.nextCursor}`,
      ),
      await apiOf(gateway, await aKey(await aPricingModel(session), 'secret'))(
        'GET',
        `${meters}?cursor=${body.nextCursor}`,
      ),
    ];
    for (const answer of foreign) {
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([
        { message: expect.stringMatching(/^cursor: is not a cursor of this list/) },
      ]);
    }
  });

  test('400 for one whose place was made up', async ({ api, session }) => {
    for (let n = 0; n < 2; n++) await aUsageMeter(session);
    const { body } = await api('GET', `${meters}?limit=1`);
    const [list, createdAt, id] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString());
    const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const made400 = [
      made(list, 'now', id),
      made(list, 0.5, id),
      made(list, createdAt, 5),
      made('x', createdAt, id),
    ];
    for (const cursor of made400) {
      expect(await api('GET', `${meters}?cursor=${cursor}`)).toMatchObject({ status: 400 });
    }
  });

  test.for([
    [Number.MAX_SAFE_INTEGER, 'x'],
    [-8_640_000_000_000_000, 'x'],
    [0, 'a\u0000'],
  ] as const)('400 for the made-up place %o', async (place, { api, session }) => {
    for (let n = 0; n < 2; n++) await aUsageMeter(session);
    const { body } = await api('GET', `${meters}?limit=1`);
    const [list] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString());
    const cursor = Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
    expect((await api('GET', `${meters}?cursor=${cursor}`)).status).toBe(400);
  });

  test('serves every page size', async ({ api, session }) => {
    for (let n = 0; n < 4; n++) await aUsageMeter(session);
    const { body } = await api('GET', `${meters}?limit=1`);
    const rest = await api('GET', `${meters}?limit=100&cursor=${body.nextCursor}`);
    expect(rest.body.data).toHaveLength(3);
  });
});

describe('Every list', () => {
  test('is its tenant’s alone', async ({ api, database, session }) => {
    const { session: other } = await aTenant(database.orm.em);
    await aUsageMeter(other);
    await aUsageMeter(await aPricingModel(session));
    const { id } = await aUsageMeter(session);
    const answer = await api('GET', meters);
    expect(ids(answer)).toEqual([id]);
    expect(answer.body.total).toBe(1);
  });

  test.for(lists)('401 for %s without a key', async (path, { api }) => {
    expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
  });
});
