import { describe, expect } from 'vitest';
import { aSubscription, aToggle } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^si_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  subscriptionId: expect.stringMatching(/^sub_/),
  name: 'Pro',
  addedDate: expect.any(Number),
  priceId: expect.stringMatching(/^price_/),
  unitPrice: 1_000,
  quantity: 3,
  type: 'static',
  externalId: null,
  manuallyCreated: false,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  metadata: null,
  expiredAt: null,
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

describe('GET /subscription-items', () => {
  test('200 with those of one subscription, also what was added by hand', async ({
    api,
    session,
  }) => {
    const { id: subscriptionId } = await aSubscription(session, { quantity: 3 });
    const { id: featureId } = await aToggle(session);
    await api('POST', `/subscriptions/${subscriptionId}/add-feature`, { featureId });
    const { status, body } = await api(
      'GET',
      `/subscription-items?subscriptionId=${subscriptionId}`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({ data: expect.any(Array), hasMore: false, total: 2 });
    expect(body.data).toContainEqual({ ...record, subscriptionId });
    expect(body.data).toContainEqual({
      ...record,
      subscriptionId,
      name: 'Manual Features',
      priceId: null,
      unitPrice: 0,
      quantity: 0,
      manuallyCreated: true,
    });
  });

  test('200 with all of the key’s without a filter, and none for an unknown subscription', async ({
    api,
    session,
  }) => {
    await aSubscription(session);
    const all = (await api('GET', '/subscription-items')).body;
    expect(all).toMatchObject({ total: 2, hasMore: false });
    expect(await api('GET', '/subscription-items?subscriptionId=sub_x')).toMatchObject({
      status: 200,
      body: { data: [], total: 0, hasMore: false },
    });
  });

  test('400 for a page that is too large, a filter with U+0000, and a cursor of another filter', async ({
    api,
    session,
  }) => {
    const { id } = await aSubscription(session);
    expect(await api('GET', '/subscription-items?limit=101')).toMatchObject(issue('limit: '));
    expect(await api('GET', '/subscription-items?subscriptionId=%00')).toMatchObject(
      issue('subscriptionId: '),
    );
    const { nextCursor } = (await api('GET', '/subscription-items?limit=1')).body;
    const narrowed = `/subscription-items?subscriptionId=${id}&cursor=${nextCursor}`;
    expect(await api('GET', narrowed)).toMatchObject(issue('cursor: '));
  });
});

describe('GET /subscription-items/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const subscription = await aSubscription(session, { quantity: 3 });
    const [{ id } = { id: '' }] = await subscription.items.loadItems();
    const { status, body } = await api('GET', `/subscription-items/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { subscriptionItem: { ...record, id, subscriptionId: subscription.id } },
    });
  });

  test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
    const subscription = await aSubscription((await aTenant(database.orm.em)).session);
    const [{ id } = { id: '' }] = await subscription.items.loadItems();
    for (const unknown of ['si_none', id]) {
      expect(await api('GET', `/subscription-items/${unknown}`)).toEqual(
        expect.objectContaining({
          status: 404,
          body: {
            code: 'NOT_FOUND',
            message: `SubscriptionItem ${unknown} not found`,
            issues: [],
          },
        }),
      );
    }
  });
});

const paths = ['/subscription-items', '/subscription-items/x'];

test.for(paths)('401 for GET %s without a key', async (path, { api }) => {
  expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(paths)('403 for GET %s with a publishable key', async (path, { api, session }) => {
  const key = await aKey(session, 'publishable');
  expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
});
