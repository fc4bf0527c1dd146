import { describe, expect } from 'vitest';
import { aSubscriptionWithSeats } from '../../../support/seats.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { type Answer, test as base } from '../../../support/test.ts';

const test = base
  .extend('owner', ({ session }) => aSubscriptionWithSeats(session))
  .extend('seats', ({ owner: { subscriptionId, resourceSlug } }) => ({
    subscriptionId,
    resourceSlug,
  }));

const record = {
  id: expect.stringMatching(/^reservation_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  resourceId: expect.stringMatching(/^resource_/),
  status: 'held',
  quantity: 2,
  externalIds: null,
  metadata: null,
  expiresAt: Date.parse('2026-01-31T10:15:00Z'),
  settledAt: null,
  claimIds: null,
  usageMeterId: null,
  usageAmount: null,
  usageEventId: null,
};

const issue = (field: string, text = '') => ({
  status: 400,
  body: {
    code: 'BAD_REQUEST',
    issues: [{ message: expect.stringMatching(new RegExp(`^${field}\\b.*${text}`)) }],
  },
});

type Api = (method: string, path: string, body?: object) => Promise<Answer>;
const reserve = (api: Api, body: object) => api('POST', '/reservations', body);

describe('POST /reservations', () => {
  test('200 with the reservation and the usage', async ({ api, owner, seats }) => {
    const { status, body } = await reserve(api, { ...seats, quantity: 2 });
    expect(status).toBe(200);
    expect(body).toEqual({
      reservation: record,
      usage: {
        resourceSlug: seats.resourceSlug,
        resourceId: owner.resourceId,
        capacity: 5,
        claimed: 0,
        reserved: 2,
        available: 3,
      },
    });
  });

  test('400 for more units than a confirmation lists, and nothing is reserved', async ({
    api,
    session,
  }) => {
    const { subscriptionId, resourceSlug } = await aSubscriptionWithSeats(session, {
      seats: 10_001,
    });
    const asked = { subscriptionId, resourceSlug };
    expect(await reserve(api, { ...asked, quantity: 10_001 })).toMatchObject(
      issue('quantity', '10001 claims at once are too many: .* 10000'),
    );
    const externalIds = Array.from({ length: 10_001 }, (_, n) => `${n}`);
    expect(await reserve(api, { ...asked, externalIds })).toMatchObject(
      issue('externalIds', '10001 claims at once are too many: .* 10000'),
    );
    const { body } = await reserve(api, { ...asked, quantity: 1 });
    expect(body.usage).toMatchObject({ reserved: 1 });
  });

  test.for([
    [{}, 'quantity', 'exactly one of'],
    [{ quantity: 1, externalIds: ['a'] }, 'quantity', 'exactly one of'],
    [{ quantity: 0 }, 'quantity', ''],
    [{ quantity: 6 }, 'quantity', '6 requested, 5 available, 5 in total'],
    [{ externalIds: [] }, 'externalIds', ''],
    [{ externalId: 'x'.repeat(256) }, 'externalId', ''],
    [{ quantity: 1, ttlSeconds: 0 }, 'ttlSeconds', ''],
    [{ quantity: 1, ttlSeconds: 86_401 }, 'ttlSeconds', ''],
    [{ quantity: 1, resourceSlug: 'unknown' }, 'resourceSlug', 'Unknown resource unknown'],
    [{ quantity: 1, subscriptionId: 'sub_x' }, 'subscriptionId', 'Unknown subscription sub_x'],
  ] as const)(
    '400 for %j, and nothing is reserved',
    async ([body, field, text], { api, seats }) => {
      expect(await reserve(api, { ...seats, ...body })).toMatchObject(issue(field, text));
      expect((await api('GET', '/reservations')).body.total).toBe(0);
    },
  );

  test('400 for a resource that is not granted, and for a subscription of another client', async ({
    api,
    seats,
    database,
  }) => {
    await api('POST', '/resources', { resource: { name: 'Desks', slug: 'desks' } });
    const desk = { ...seats, resourceSlug: 'desks', quantity: 1 };
    expect(await reserve(api, desk)).toMatchObject(issue('resourceSlug', 'no feature'));
    const stranger = (await aTenant(database.orm.em)).session;
    const { subscriptionId, resourceSlug } = await aSubscriptionWithSeats(stranger);
    const other = { subscriptionId, resourceSlug, quantity: 1 };
    expect(await reserve(api, other)).toMatchObject(issue('subscriptionId'));
  });

  test('401 without a key, 403 with a publishable one', async ({ api, seats, session }) => {
    const body = { ...seats, quantity: 1 };
    expect((await api('POST', '/reservations', body, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('POST', '/reservations', body, { key })).status).toBe(403);
  });
});

describe('GET /reservations', () => {
  test('200 with a page, and each by its id; 404 for an unknown id', async ({ api, seats }) => {
    const { reservation } = (await reserve(api, { ...seats, externalId: 'a' })).body;
    expect(reservation).toMatchObject({ quantity: 1, externalIds: ['a'] });
    expect((await api('GET', '/reservations')).body).toEqual({
      data: [reservation],
      hasMore: false,
      total: 1,
    });
    expect(await api('GET', `/reservations/${reservation.id}`)).toMatchObject({
      status: 200,
      body: { reservation },
    });
    expect((await api('GET', '/reservations/reservation_x')).status).toBe(404);
  });

  test('401, 403, and 400 for a bad page', async ({ api, session }) => {
    expect((await api('GET', '/reservations', undefined, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('GET', '/reservations', undefined, { key })).status).toBe(403);
    expect((await api('GET', '/reservations?limit=0')).status).toBe(400);
  });
});

describe.for(['confirm', 'release'])('POST /reservations/{id}/%s', (verb) => {
  test('200, and again', async ({ api, seats }) => {
    const { id } = (await reserve(api, { ...seats, quantity: 2, ttlSeconds: 900 })).body
      .reservation;
    const first = await api('POST', `/reservations/${id}/${verb}`, {});
    expect(first.status).toBe(200);
    expect(first.body.reservation).toMatchObject(
      verb === 'confirm'
        ? { status: 'confirmed', claimIds: [expect.any(String), expect.any(String)] }
        : { status: 'released', claimIds: null },
    );
    if (verb === 'confirm') expect(first.body.claims).toHaveLength(2);
    const again = await api('POST', `/reservations/${id}/${verb}`, {});
    expect(again).toMatchObject({ status: 200, body: { reservation: first.body.reservation } });
  });

  test('400 after the other', async ({ api, seats }) => {
    const { id } = (await reserve(api, { ...seats, quantity: 2 })).body.reservation;
    await api('POST', `/reservations/${id}/${verb === 'confirm' ? 'release' : 'confirm'}`, {});
    expect((await api('POST', `/reservations/${id}/${verb}`, {})).status).toBe(400);
  });

  test('401, 403 and 404', async ({ api, session }) => {
    const path = `/reservations/reservation_x/${verb}`;
    expect((await api('POST', path, {}, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('POST', path, {}, { key })).status).toBe(403);
    expect((await api('POST', path, {})).status).toBe(404);
  });
});
