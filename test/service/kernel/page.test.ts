import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { page } from '#domain/kernel/lists/page.ts';
import type { PageInput } from '#domain/kernel/lists/slice.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { aResource } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { test } from '../../support/test.ts';

const listOrders = ['created_at_asc', 'created_at_desc'] as const;
type ListOrder = (typeof listOrders)[number];

/** As every request has one: a session that has read nothing yet. */
const fresh = ({ em, apiKeyId, ...scope }: Session) => openSession(em, scope, apiKeyId);

const read = (session: Session, input: PageInput) => page(fresh(session), Resource, input);

/** Puts rows in place of all others, created at these milliseconds; answers them in order. */
async function rowsAt({ em, organizationId, livemode, pricingModelId }: Session, times: number[]) {
  const fork = em.fork();
  await fork.execute('delete from resource where pricing_model_id = ?', [pricingModelId]);
  await fork.execute(
    `insert into resource (id, created_at, updated_at, livemode, organization_id, pricing_model_id, slug, name, active)
     select 'resource_' || md5(random()::text || n), to_timestamp(at / 1000.0), now(), ?, ?, ?, n, 'Row', n % 2 = 0
     from unnest(?::bigint[]) with ordinality as row(at, n)`,
    [livemode, organizationId, pricingModelId, `{${times.join(',')}}`],
  );
  const rows = await fork.execute<{ id: string; active: boolean }[]>(
    'select id, active from resource where pricing_model_id = ? order by created_at, position',
    [pricingModelId],
  );
  return rows;
}

/** The ids of all pages, one page after the other in the direction of reading. */
async function walk(
  session: Session,
  direction: 'forward' | 'backward',
  size: number,
  input: PageInput,
) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const slice: PageInput =
      direction === 'forward' ? { first: size, after: cursor } : { last: size, before: cursor };
    const { edges, pageInfo } = await read(session, { ...input, ...slice });
    const isForward = direction === 'forward';
    const hasMore = isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    expect(isForward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null);
    expect(edges.length).toBeLessThanOrEqual(size);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
      edges[0]?.cursor ?? null,
      edges.at(-1)?.cursor ?? null,
    ]);
    pages.push(edges.map(({ node }) => node.id));
    cursor = hasMore ? (isForward ? pageInfo.endCursor : pageInfo.startCursor) : null;
  } while (cursor !== null);
  return direction === 'forward' ? pages.flat() : pages.reverse().flat();
}

const inOrder = <T>(rows: T[], orderBy: ListOrder) =>
  orderBy === 'created_at_desc' ? rows.toReversed() : rows;

describe('Walking a list', () => {
  test('visits every row once and in order, in both directions and orders, whatever the page size', async ({
    session,
  }) => {
    // Few distinct milliseconds, so that most rows share theirs with others.
    const times = fc.array(fc.integer({ min: 1_800_000_000_000, max: 1_800_000_000_004 }), {
      maxLength: 30,
    });
    const cases = fc.record({
      times,
      size: fc.integer({ min: 1, max: 12 }),
      orderBy: fc.constantFrom(...listOrders),
      active: fc.constantFrom(true, false, undefined),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ times, size, orderBy, active }) => {
        const rows = await rowsAt(session, times);
        const matching = rows.filter((row) => active === undefined || row.active === active);
        const expected = inOrder(matching, orderBy).map(({ id }) => id);
        const filter = active === undefined ? undefined : { active };
        expect(await walk(session, 'forward', size, { orderBy, filter })).toEqual(expected);
        expect(await walk(session, 'backward', size, { orderBy, filter })).toEqual(expected);
        expect(await (await read(session, { filter })).totalCount()).toBe(expected.length);
      }),
      { numRuns: 25 },
    );
  });

  test('any cursor of any page is a place to resume from, forward and backward', async ({
    session,
  }) => {
    const ids = (
      await rowsAt(
        session,
        [1, 1, 1, 2, 2, 3].map((n) => 1_800_000_000_000 + n),
      )
    ).map(({ id }) => id);
    const { edges } = await read(session, { first: 6 });
    expect(edges.map(({ node }) => node.id)).toEqual(ids);
    for (const [place, { cursor }] of edges.entries()) {
      const after = await read(session, { after: cursor });
      const before = await read(session, { before: cursor });
      expect(after.edges.map(({ node }) => node.id)).toEqual(ids.slice(place + 1));
      expect(before.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, place));
      const between = await read(session, { after: edges[0]?.cursor, before: cursor });
      expect(between.edges.map(({ node }) => node.id)).toEqual(ids.slice(1, Math.max(place, 1)));
    }
  });

  test('continues where it was after the row of its cursor is gone', async ({ session }) => {
    const ids = (
      await rowsAt(
        session,
        [1, 2, 3].map((n) => 1_800_000_000_000 + n),
      )
    ).map(({ id }) => id);
    const { pageInfo } = await read(session, { first: 2 });
    await session.em.fork().execute('delete from resource where id = ?', [ids[1]]);
    const { edges } = await read(session, { after: pageInfo.endCursor });
    expect(edges.map(({ node }) => node.id)).toEqual(ids.slice(2));
  });

  test('a cursor never shows the position, which counts the rows of all tenants', async ({
    session,
  }) => {
    await rowsAt(session, [1_800_000_000_000, 1_800_000_000_000]);
    const { pageInfo } = await read(session, { first: 1 });
    const [, ...place] = JSON.parse(Buffer.from(pageInfo.endCursor ?? '', 'base64url').toString());
    expect(place).toEqual([1_800_000_000_000, expect.stringMatching(/^resource_/)]);
  });

  test('rows of one instant that are older than positions go by id, before all others', async ({
    session,
  }) => {
    const rows = await rowsAt(session, Array(6).fill(1_800_000_000_000));
    const old = rows.slice(3).map(({ id }) => id);
    await session.em
      .fork()
      .execute('update resource set position = 0 where id = any(?::text[])', [
        `{${old.join(',')}}`,
      ]);
    const expected = [...old.toSorted(), ...rows.slice(0, 3).map(({ id }) => id)];
    expect(await walk(session, 'forward', 2, {})).toEqual(expected);
    expect(await walk(session, 'backward', 2, {})).toEqual(expected);
  });

  test('repeats rows of an instant rather than leave some out, when the row of the cursor is gone', async ({
    session,
  }) => {
    const ids = (await rowsAt(session, Array(4).fill(1_800_000_000_000))).map(({ id }) => id);
    for (const orderBy of listOrders) {
      const { edges } = await read(session, { orderBy, first: 2 });
      const [cursor, id] = [edges[1]?.cursor, edges[1]?.node.id];
      await session.em.fork().execute('delete from resource where id = ?', [id]);
      const rest = await read(session, { orderBy, after: cursor });
      const left = inOrder(ids, orderBy).filter((other) => other !== id);
      expect(left.slice(1).every((id) => rest.edges.some(({ node }) => node.id === id))).toBe(true);
      ids.splice(ids.indexOf(id as string), 1);
    }
  });
});

describe('A page', () => {
  test('has 10 rows when no size is given, and at most 100', async ({ session }) => {
    await rowsAt(
      session,
      Array.from({ length: 101 }, (_, n) => 1_800_000_000_000 + n),
    );
    expect((await read(session, {})).edges).toHaveLength(10);
    expect((await read(session, { first: 100 })).edges).toHaveLength(100);
    expect((await read(session, { last: 100 })).edges).toHaveLength(100);
  });

  test.for([
    [{ first: 0 }, 'first'],
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ last: 0 }, 'last'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ after: 'nonsense' }, 'after'],
    [{ before: '' }, 'before'],
  ] as const)('is refused for %o', async ([input, argument], { session }) => {
    await expect(read(session, input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: [argument] }],
    });
  });

  test('is refused for the cursor of another order, filter or tenant', async ({
    session,
    database,
  }) => {
    for (let n = 0; n < 2; n++) await aResource(session);
    const { pageInfo } = await read(session, { first: 1, filter: { active: true } });
    const after = pageInfo.endCursor;
    expect((await read(session, { after, filter: { active: true } })).edges).toHaveLength(1);
    const other = await aTenant(database.orm.em);
    const pages = [
      () => read(session, { after }),
      () => read(session, { after, filter: { active: false } }),
      () => read(session, { after, filter: { active: true, slug: 'a' } }),
      () => read(session, { after, filter: { active: true }, orderBy: 'created_at_desc' }),
      () => read(other.session, { after, filter: { active: true } }),
    ];
    for (const foreign of pages) {
      await expect(foreign()).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ path: ['after'] }],
      });
    }
  });
});
