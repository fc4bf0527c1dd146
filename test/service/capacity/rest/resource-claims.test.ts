// @module-tag long
import { describe, expect } from 'vitest';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { fresh } from '../../../support/factories.ts';
import {
  aBusySubscription,
  activeClaims,
  aSubscriptionWithSeats,
  type Seats,
} from '../../../support/seats.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { type Answer, apiOf, test as base } from '../../../support/test.ts';
import { at } from '../../../support/timeline.ts';

const test = base.extend('seats', ({ session }) => aSubscriptionWithSeats(session));

const record = {
  id: expect.stringMatching(/^res_claim_[0-9A-Za-z]{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  resourceId: expect.stringMatching(/^resource_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  externalId: null,
  claimedAt: Date.parse('2026-01-31T10:00:00Z'),
  releaseReason: null,
  releasedAt: null,
  expiredAt: null,
  metadata: null,
};

const issue = (field: string, text = '') => ({
  status: 400,
  body: {
    code: 'BAD_REQUEST',
    issues: [{ message: expect.stringMatching(new RegExp(`^${field}\\b.*${text}`)) }],
  },
});

type Api = (method: string, path: string, body?: object) => Promise<Answer>;

type Claimable = Pick<Seats, 'subscriptionId' | 'resourceSlug'>;

const moved =
  (verb: 'claim' | 'release') =>
  (api: Api, { subscriptionId, resourceSlug }: Claimable, body: object) =>
    api('POST', `/resource-claims/${subscriptionId}/${verb}`, { resourceSlug, ...body });
const claim = moved('claim');
const release = moved('release');

const numbers = (capacity: number, claimed: number, available = capacity - claimed) => ({
  capacity,
  claimed,
  available,
});

const idsOf = (claims: { id: string }[]) => claims.map(({ id }) => id);

/** The path of the list to which an answer links. */
const linked = ({ headers }: Answer) =>
  /^<\/api\/v1(.*)>; rel="collection"$/.exec(headers.get('link') ?? '')?.[1] ?? '';

/** The ids of all claims in the list to which an answer links. */
async function followed(api: Api, answer: Answer): Promise<string[]> {
  const list = linked(answer);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api('GET', `${list}&limit=100${cursor && `&cursor=${cursor}`}`);
    ids.push(...idsOf(body.data));
    if (!body.hasMore) return ids;
    cursor = encodeURIComponent(body.nextCursor);
  }
}

const endNow = ({ subscriptionId }: Seats) => ({
  id: subscriptionId,
  cancellation: { timing: 'immediately' as const },
});

describe('the order of claims', () => {
  test.for(['alone', 'together', 'on a test clock'])(
    'is that in which they are taken, also when they are released: %s',
    async (way, { api, session }) => {
      const seats = await (way === 'on a test clock'
        ? aSubscriptionWithSeats(session, { seats: 200 })
        : aBusySubscription(session, 200));
      // Larger calls go alone; a call without a key and in parts of a hundred shares a transaction.
      const size = way === 'alone' ? 200 : 100;
      const path = (verb: string) => `/resource-claims/${seats.subscriptionId}/${verb}`;
      const { resourceSlug } = seats;
      const taken: string[] = [];
      for (let from = 0; from < 200; from += size) {
        const { body } = await api('POST', path('claim'), { resourceSlug, quantity: size });
        taken.push(...idsOf(body.claims));
      }
      const { body: usage } = await api('GET', `${path('usage')}?resourceSlug=${resourceSlug}`);
      expect(idsOf(usage.claims)).toEqual(taken);
      const { body } = await api('POST', path('release'), { resourceSlug, quantity: 200 });
      expect(idsOf(body.releasedClaims)).toEqual(taken);
    },
  );
});

describe('POST /resource-claims/{subscriptionId}/claim', () => {
  test('200 with as many anonymous claims as asked for, and the usage', async ({ api, seats }) => {
    const { status, body } = await claim(api, seats, { quantity: 3, metadata: { team: 'blue' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      claims: Array(3).fill({ ...record, metadata: { team: 'blue' } }),
      usage: {
        resourceSlug: seats.resourceSlug,
        resourceId: seats.resourceId,
        ...numbers(5, 3),
      },
    });
  });

  test('200 with nested metadata, without its entries that are null', async ({ api, seats }) => {
    const metadata = { team: { lead: 'ada', sizes: [1, 2] } };
    const { body } = await claim(api, seats, {
      externalId: 'ada',
      metadata: { ...metadata, none: null },
    });
    expect(body.claims).toEqual([{ ...record, externalId: 'ada', metadata }]);
    expect((await release(api, seats, { externalId: 'ada' })).body).toMatchObject({
      releasedClaims: [{ externalId: 'ada', metadata }],
      usage: numbers(5, 0),
    });
  });

  test('400 for more than one request changes, with the number and the limit', async ({
    api,
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session, { seats: Number.MAX_SAFE_INTEGER });
    expect(await claim(api, seats, { quantity: Number.MAX_SAFE_INTEGER })).toMatchObject(
      issue('quantity', `${Number.MAX_SAFE_INTEGER} claims at once are too many: .* 1000000`),
    );
    expect((await claim(api, seats, { quantity: 1 })).status).toBe(200);
  });

  test('an answer that does not list all claims links to the list that does', async ({
    api,
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session, { seats: 10_001 });
    const { subscriptionId, resourceId } = seats;
    const path = `/resource-claims/${subscriptionId}`;
    const linkOf = async (of: string) => (await api('GET', `${path}/${of}`)).headers.get('link');
    await claim(api, seats, { quantity: 9_999 });
    expect(await linkOf('usages')).toBe(null);
    const last = await claim(api, seats, { quantity: 2 });
    expect(last.headers.get('link')).toBe(null);
    const all = `/api/v1/resource-claims?subscriptionId=${subscriptionId}&active=true`;
    expect(await linkOf('usages')).toBe(`<${all}>; rel="collection"`);
    expect(await linkOf('claims')).toBe(`<${all}>; rel="collection"`);
    expect(await linkOf(`usage?resourceId=${resourceId}`)).toBe(
      `<${all}&resourceId=${resourceId}>; rel="collection"`,
    );
    const { body } = await api('GET', `${all.replace('/api/v1', '')}&limit=1`);
    expect(body).toMatchObject({ total: 10_001, hasMore: true, data: [{ resourceId }] });
  });

  test('a call lists its first 10,000 claims and links to each of them once, in their order', async ({
    api,
    session,
  }) => {
    const seats = await aBusySubscription(session, 20_302);
    await claim(api, seats, { quantity: 1 });
    await claim(api, seats, { externalIds: ['a', 'b'] });
    const headers = { 'idempotency-key': 'many' };
    const path = `/resource-claims/${seats.subscriptionId}/claim`;
    const body = { resourceSlug: seats.resourceSlug, quantity: 20_150 };
    const claimed = await api('POST', path, body, { headers });
    expect(claimed.body).toMatchObject({ usage: numbers(20_302, 20_153) });
    await claim(api, seats, { quantity: 1 });
    const taken = await followed(api, claimed);
    expect(taken).toHaveLength(20_150);
    expect(new Set(taken).size).toBe(20_150);
    expect(taken.slice(0, 10_000)).toEqual(idsOf(claimed.body.claims));

    const repeated = await api('POST', path, body, { headers });
    expect(repeated.body).toEqual(claimed.body);
    expect(repeated.headers.get('link')).toBe(claimed.headers.get('link'));
    const [kept] = await fresh(session).em.execute<[{ size: number }]>(
      `select octet_length(answer) as size from idempotency_key where key = 'many'`,
    );
    expect(kept.size).toBeLessThan(8_000_000);

    const released = await release(api, seats, { quantity: 20_150 });
    expect(released.body.usage).toMatchObject(numbers(20_302, 4));
    const { body: gone } = await api('GET', `${linked(released)}&limit=100`);
    expect(gone.total).toBe(20_150);
    expect(idsOf(gone.data)).toEqual(idsOf(released.body.releasedClaims).slice(0, 100));
    expect(idsOf(released.body.releasedClaims).slice(1)).toEqual(taken.slice(0, 9_999));
  });

  test('a call lists its first 10,000 names and links to all active claims', async ({
    api,
    session,
  }) => {
    const seats = await aBusySubscription(session, 10_001);
    const externalIds = Array.from({ length: 10_001 }, (_, n) => `user ${n}`);
    const claimed = await claim(api, seats, { externalIds });
    const names = claimed.body.claims.map((one: { externalId: string }) => one.externalId);
    expect(names).toEqual(externalIds.slice(0, 10_000));
    expect((await api('GET', `${linked(claimed)}&limit=1`)).body.total).toBe(10_001);
    const released = await release(api, seats, { externalIds });
    expect(released.body.usage).toMatchObject(numbers(10_001, 0));
    expect((await api('GET', `${linked(released)}&limit=1`)).body.total).toBe(10_001);
  });

  test('200 with the same claim for the same name, whose metadata stays', async ({
    api,
    seats,
  }) => {
    const first = await claim(api, seats, { externalId: 'user_123', metadata: { n: 1 } });
    expect(first.body).toMatchObject({
      claims: [{ externalId: 'user_123' }],
      usage: numbers(5, 1),
    });
    const again = await claim(api, seats, { externalId: 'user_123', metadata: { n: 2 } });
    expect(again.body).toEqual(first.body);
  });

  test('200 with what some names have and what they get, each once, in their order', async ({
    api,
    seats,
  }) => {
    const [other] = (await claim(api, seats, { externalId: 'b' })).body.claims;
    const { body } = await claim(api, seats, { externalIds: ['a', 'b', 'c', 'a'] });
    expect(body).toMatchObject({
      claims: [{ externalId: 'a' }, { id: other.id }, { externalId: 'c' }],
      usage: numbers(5, 3),
    });
  });

  test('400 beyond the capacity, which states requested, available and capacity; nothing is claimed', async ({
    api,
    seats,
    session,
  }) => {
    await claim(api, seats, { quantity: 4 });
    expect(await claim(api, seats, { quantity: 2 })).toMatchObject(
      issue('quantity', '2 requested, 1 available, 5 in total'),
    );
    expect(await claim(api, seats, { externalIds: ['a', 'b'] })).toMatchObject(
      issue('externalIds', '2 requested, 1 available, 5 in total'),
    );
    expect(await activeClaims(session, seats)).toHaveLength(4);
    expect((await claim(api, seats, { quantity: 1 })).body.usage).toMatchObject(numbers(5, 5));
    expect(await claim(api, seats, { externalId: 'a' })).toMatchObject(issue('externalId', '0 av'));
  });

  test.for([
    [{}, 'quantity', 'exactly one of'],
    [{ quantity: 1, externalId: 'a' }, 'quantity', 'exactly one of'],
    [{ externalId: 'a', externalIds: ['b'] }, 'quantity', 'exactly one of'],
    [{ quantity: 0 }, 'quantity', ''],
    [{ quantity: -1 }, 'quantity', ''],
    [{ quantity: 1.5 }, 'quantity', 'whole number'],
    [{ quantity: 'x' }, 'quantity', ''],
    [{ quantity: 2 ** 53 }, 'quantity', ''],
    [{ quantity: 2 ** 53 - 1 }, 'quantity', 'requested, 5 available'],
    [{ externalId: 'x'.repeat(256) }, 'externalId', ''],
    [{ externalId: 'x'.repeat(256) }, 'externalId', ''],
    [{ externalIds: [] }, 'externalIds', ''],
    [{ externalIds: ['a', 'x'.repeat(256)] }, 'externalIds.1', ''],
    [{ quantity: 1, metadata: { a: ['x'.repeat(8_192)] } }, 'metadata', '8192 bytes'],
    [{ quantity: 1, metadata: [] }, 'metadata', ''],
    [{ quantity: 1, resourceSlug: 'unknown' }, 'resourceSlug', 'Unknown resource unknown'],
  ] as const)(
    '400 for %j, and nothing is written',
    async ([body, field, text], { api, seats, session }) => {
      expect(await claim(api, seats, body)).toMatchObject(issue(field, text));
      expect(await activeClaims(session, seats)).toEqual([]);
    },
  );

  test('400 for a name with U+0000', async ({ api, seats }) => {
    expect((await claim(api, seats, { externalId: 'a\0' })).status).toBe(400);
    expect((await claim(api, seats, { externalIds: ['\ud800'] })).status).toBe(400);
    expect((await claim(api, seats, { quantity: 1, resourceSlug: '\0' })).status).toBe(400);
  });

  test('400 for a resource that the subscription has no feature for', async ({ api, seats }) => {
    await api('POST', '/resources', { resource: { name: 'Desks', slug: 'desks' } });
    expect(await claim(api, seats, { quantity: 1, resourceSlug: 'desks' })).toMatchObject(
      issue('resourceSlug', 'no feature'),
    );
  });

  test('400 for a subscription that has ended', async ({ api, seats, session }) => {
    await cancelSubscription(fresh(session), endNow(seats));
    expect(await claim(api, seats, { quantity: 1 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has ended (canceled)') },
    });
    expect(await activeClaims(session, seats)).toEqual([]);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/claim`;
    const body = { resourceSlug: seats.resourceSlug, quantity: 1 };
    expect((await api('POST', path, body, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('POST', path, body, { key })).status).toBe(403);
  });

  test('404 for a subscription that is unknown or another client’s', async ({
    api,
    seats,
    database,
    gateway,
  }) => {
    expect((await claim(api, { ...seats, subscriptionId: 'sub_x' }, { quantity: 1 })).status).toBe(
      404,
    );
    const stranger = apiOf(gateway, (await aTenant(database.orm.em)).key);
    expect((await claim(stranger, seats, { quantity: 1 })).status).toBe(404);
    expect((await release(stranger, seats, { quantity: 1 })).status).toBe(404);
    for (const read of ['usages', 'usage?resourceSlug=x', 'claims']) {
      const path = `/resource-claims/${seats.subscriptionId}/${read}`;
      expect((await stranger('GET', path)).status).toBe(404);
    }
  });

  test('is executed once for one Idempotency-Key', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/claim`;
    const body = { resourceSlug: seats.resourceSlug, quantity: 2 };
    const headers = { 'idempotency-key': 'once' };
    const [one, two] = await Promise.all([
      api('POST', path, body, { headers }),
      api('POST', path, body, { headers }),
    ]);
    expect(one.body).toEqual(two.body);
    expect(await activeClaims(session, seats)).toHaveLength(2);
  });
});

describe('POST /resource-claims/{subscriptionId}/release', () => {
  test('200 with the oldest anonymous claims; named ones are left', async ({ api, seats }) => {
    const { claims } = (await claim(api, seats, { quantity: 3 })).body;
    await claim(api, seats, { externalIds: ['a', 'b'] });
    const { status, body } = await release(api, seats, { quantity: 2 });
    expect(status).toBe(200);
    const gone = {
      ...record,
      updatedAt: expect.any(Number),
      releasedAt: record.claimedAt,
      releaseReason: 'released',
    };
    expect(body).toEqual({
      releasedClaims: [gone, gone],
      usage: expect.objectContaining(numbers(5, 3)),
    });
    const ids = claims.map(({ id }: { id: string }) => id);
    for (const { id } of body.releasedClaims) expect(ids).toContain(id);
  });

  test('200 with the oldest first, also of those that were claimed at the same instant', async ({
    api,
    seats,
  }) => {
    const claimed: string[] = [];
    const released: string[] = [];
    for (const quantity of [1, 3, 1]) {
      claimed.push(...idsOf((await claim(api, seats, { quantity })).body.claims));
    }
    const { body } = await api('GET', `/resource-claims/${seats.subscriptionId}/claims`);
    expect(idsOf(body.claims)).toEqual(claimed);
    for (const quantity of [1, 1, 2, 1]) {
      released.push(...idsOf((await release(api, seats, { quantity })).body.releasedClaims));
    }
    expect(released).toEqual(claimed);
  });

  test('200 with the claims of some names, and of some ids, each once', async ({ api, seats }) => {
    await claim(api, seats, { externalIds: ['user_1', 'user_2', 'user_3'] });
    const named = await release(api, seats, { externalIds: ['user_1', 'user_3', 'user_1'] });
    expect(named.body.usage).toMatchObject(numbers(5, 1));
    const [anonymous] = (await claim(api, seats, { quantity: 2 })).body.claims;
    const left = `/resource-claims/${seats.subscriptionId}/claims`;
    const [user2] = (await api('GET', left)).body.claims.filter(
      ({ externalId }: { externalId: string }) => externalId === 'user_2',
    );
    const claimIds = [anonymous.id, user2.id, anonymous.id];
    const released = await release(api, seats, { claimIds });
    expect(released.body.releasedClaims).toHaveLength(2);
    expect(released.body.usage).toMatchObject(numbers(5, 1));
    expect((await release(api, seats, { quantity: 1 })).body.usage).toMatchObject(numbers(5, 0));
  });

  test.for([
    [{}, 'quantity', 'exactly one of'],
    [{ quantity: 1, claimIds: ['x'] }, 'quantity', 'exactly one of'],
    [{ quantity: 0 }, 'quantity', ''],
    [{ quantity: 1.5 }, 'quantity', 'whole number'],
    [{ quantity: 2 ** 53 }, 'quantity', ''],
    [{ quantity: 3 }, 'quantity', 'requested, 2 active'],
    [{ quantity: 2 ** 53 - 1 }, 'quantity', 'requested, 2 active'],
    [{ externalId: 'b' }, 'externalId', 'b is not an active claim'],
    [{ externalId: 'x'.repeat(256) }, 'externalId', ''],
    [{ externalIds: [] }, 'externalIds', ''],
    [{ externalIds: ['a', 'c', 'b'] }, 'externalIds', 'c is not an active claim'],
    [{ claimIds: [] }, 'claimIds', ''],
    [{ claimIds: ['res_claim_x'] }, 'claimIds', 'res_claim_x is not an active claim'],
    [{ quantity: 1, resourceSlug: 'unknown' }, 'resourceSlug', 'Unknown resource unknown'],
  ] as const)(
    '400 for %j, and nothing is released',
    async ([body, field, text], { api, seats, session }) => {
      await claim(api, seats, { quantity: 2 });
      await claim(api, seats, { externalId: 'a' });
      expect(await release(api, seats, body)).toMatchObject(issue(field, text));
      expect(await activeClaims(session, seats)).toHaveLength(3);
    },
  );

  test('400 for a claim of another subscription', async ({ api, seats, session }) => {
    const other = await aSubscriptionWithSeats(session);
    const [{ id }] = (await claim(api, other, { quantity: 1 })).body.claims;
    expect(await release(api, seats, { claimIds: [id] })).toMatchObject(issue('claimIds', id));
  });

  test('401, 403 and 404 as the claim has them', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/release`;
    const body = { resourceSlug: seats.resourceSlug, quantity: 1 };
    expect((await api('POST', path, body, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('POST', path, body, { key })).status).toBe(403);
    expect((await api('POST', '/resource-claims/sub_x/release', body)).status).toBe(404);
  });
});

describe('GET /resource-claims/{subscriptionId}/usages', () => {
  test('200 with a bare array: each resource with its active claims', async ({ api, seats }) => {
    const path = `/resource-claims/${seats.subscriptionId}/usages`;
    const usage = { resourceSlug: seats.resourceSlug, resourceId: seats.resourceId };
    expect((await api('GET', path)).body).toEqual([
      { usage: { ...usage, ...numbers(5, 0) }, claims: [] },
    ]);
    await claim(api, seats, { quantity: 2 });
    expect(await api('GET', path)).toMatchObject({
      status: 200,
      body: [{ usage: { ...usage, ...numbers(5, 2) }, claims: [record, record] }],
    });
  });

  test('200 with those of one slug or id or several, slugs before ids, and none for others', async ({
    api,
    seats,
  }) => {
    const { subscriptionId, resourceSlug, resourceId } = seats;
    const found = async (query: string) =>
      (await api('GET', `/resource-claims/${subscriptionId}/usages?${query}`)).body.length;
    expect(await found(`resourceSlugs=${resourceSlug}`)).toBe(1);
    expect(await found(`resourceSlugs=${resourceSlug}&resourceSlugs=other`)).toBe(1);
    expect(await found(`resourceIds=${resourceId}`)).toBe(1);
    expect(await found(`resourceIds=${resourceId}&resourceIds=other`)).toBe(1);
    expect(await found(`resourceIds=${resourceId}&resourceSlugs=other`)).toBe(0);
    expect(await found('resourceSlugs=other')).toBe(0);
  });

  test('400 for more than 100 slugs', async ({ api, seats }) => {
    const query = Array.from({ length: 101 }, (_, n) => `resourceSlugs=s${n}`).join('&');
    expect(
      await api('GET', `/resource-claims/${seats.subscriptionId}/usages?${query}`),
    ).toMatchObject(issue('resourceSlugs'));
  });

  test('401, 403, and 404 for an unknown subscription', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/usages`;
    expect((await api('GET', path, undefined, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('GET', path, undefined, { key })).status).toBe(403);
    expect((await api('GET', '/resource-claims/sub_x/usages')).status).toBe(404);
  });
});

describe('GET /resource-claims/{subscriptionId}/usage', () => {
  test('200 with one resource, by slug or id', async ({ api, seats }) => {
    await claim(api, seats, { externalId: 'a' });
    const path = `/resource-claims/${seats.subscriptionId}/usage`;
    const bySlug = await api('GET', `${path}?resourceSlug=${seats.resourceSlug}`);
    expect(bySlug).toMatchObject({
      status: 200,
      body: { usage: numbers(5, 1), claims: [{ externalId: 'a' }] },
    });
    expect((await api('GET', `${path}?resourceId=${seats.resourceId}`)).body).toEqual(bySlug.body);
  });

  test('400 for both or neither of slug and id; 401; 403', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/usage`;
    expect(await api('GET', path)).toMatchObject(issue('resourceSlug'));
    expect(await api('GET', `${path}?resourceSlug=a&resourceId=b`)).toMatchObject(
      issue('resourceSlug'),
    );
    const found = `${path}?resourceSlug=${seats.resourceSlug}`;
    expect((await api('GET', found, undefined, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('GET', found, undefined, { key })).status).toBe(403);
  });

  test('404 for an unknown subscription or resource, and for one that is not granted', async ({
    api,
    seats,
  }) => {
    const path = `/resource-claims/${seats.subscriptionId}/usage`;
    await api('POST', '/resources', { resource: { name: 'Desks', slug: 'desks' } });
    expect((await api('GET', `${path}?resourceSlug=unknown`)).status).toBe(404);
    expect((await api('GET', `${path}?resourceId=unknown`)).status).toBe(404);
    expect((await api('GET', `${path}?resourceSlug=desks`)).status).toBe(404);
    const unknown = `/resource-claims/sub_x/usage?resourceSlug=${seats.resourceSlug}`;
    expect((await api('GET', unknown)).status).toBe(404);
  });
});

describe('GET /resource-claims/{subscriptionId}/claims', () => {
  test('200 with the active claims, of all resources or of one', async ({ api, seats }) => {
    await claim(api, seats, { quantity: 2 });
    await release(api, seats, { quantity: 1 });
    const path = `/resource-claims/${seats.subscriptionId}/claims`;
    expect((await api('GET', path)).body).toEqual({ claims: [record] });
    expect((await api('GET', `${path}?resourceSlug=${seats.resourceSlug}`)).body).toEqual({
      claims: [record],
    });
    await api('POST', '/resources', { resource: { name: 'Desks', slug: 'desks' } });
    expect((await api('GET', `${path}?resourceSlug=desks`)).body).toEqual({ claims: [] });
  });

  test('200 without those that have expired, though no job has recorded it, in every list', async ({
    api,
    seats,
    session,
  }) => {
    const { subscriptionId, clockId } = seats;
    await claim(api, seats, { quantity: 3 });
    await session.em.execute(
      `update resource_claim set expired_at = ? where id in (select id from resource_claim
         where subscription_id = ? limit 2)`,
      [at('2026-02-02'), subscriptionId],
    );
    const state = async () => {
      const path = `/resource-claims/${subscriptionId}`;
      const { claims } = (await api('GET', `${path}/claims`)).body;
      const one = (await api('GET', `${path}/usage?resourceSlug=${seats.resourceSlug}`)).body;
      const [all] = (await api('GET', `${path}/usages`)).body;
      return [one.usage.claimed, ...[claims, one.claims, all.claims].map(({ length }) => length)];
    };
    expect(await state()).toEqual([3, 3, 3, 3]);
    const later = [at('2026-02-02'), clockId];
    await session.em.execute('update test_clock set frozen_time = ? where id = ?', later);
    expect(await state()).toEqual([1, 1, 1, 1]);
  });

  test('401, 403, and 404 for an unknown subscription or slug', async ({ api, seats, session }) => {
    const path = `/resource-claims/${seats.subscriptionId}/claims`;
    expect((await api('GET', path, undefined, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('GET', path, undefined, { key })).status).toBe(403);
    expect((await api('GET', `${path}?resourceSlug=unknown`)).status).toBe(404);
    expect((await api('GET', '/resource-claims/sub_x/claims')).status).toBe(404);
  });
});
