import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { aCreditGrant, aSubscription, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^sub_feature_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  subscriptionItemId: expect.stringMatching(/^si_/),
  featureId: expect.stringMatching(/^feature_/),
  type: 'toggle',
  manuallyCreated: false,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  name: 'SSO',
  slug: expect.any(String),
  productFeatureId: null,
  amount: null,
  usageMeterId: null,
  renewalFrequency: null,
  expiredAt: null,
  detachedAt: null,
  detachedReason: null,
  resourceId: null,
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (id: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', message: `SubscriptionItemFeature ${id} not found`, issues: [] },
});

/** An item of a new subscription, and a feature that the item does not grant. */
async function anItem(session: Session) {
  const subscription = await aSubscription(session);
  const [item] = await subscription.items.loadItems();
  const feature = await aToggle(session);
  return { subscriptionItemId: item?.id ?? '', featureId: feature.id, slug: feature.slug };
}

/** The features that a new subscription grants by its product. */
async function aGrant(session: Session, featureId: string) {
  const { id } = await aSubscription(session, { featureIds: [featureId] });
  return session.em.fork().findOneOrFail(SubscriptionItemFeature, { subscriptionId: id });
}

describe('POST /subscription-item-features', () => {
  test('200 with the documented record of a toggle; name and slug are the feature’s', async ({
    api,
    session,
  }) => {
    const { slug, ...ids } = await anItem(session);
    const { status, body } = await api('POST', '/subscription-item-features', {
      subscriptionItemFeature: { ...ids, type: 'toggle', name: 'Mine', slug: 'mine' },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { subscriptionItemFeature: { ...record, ...ids, slug } },
    });
  });

  test('200 with the documented record of credits, and every field that it takes', async ({
    api,
    session,
  }) => {
    const { subscriptionItemId } = await anItem(session);
    const { id: usageMeterId } = await aUsageMeter(session);
    const { id: featureId } = await aCreditGrant(session, usageMeterId);
    const grant = {
      subscriptionItemId,
      featureId,
      type: 'usage_credit_grant',
      amount: Number.MAX_SAFE_INTEGER,
      usageMeterId,
      renewalFrequency: 'once',
      expiredAt: 2e12,
      detachedAt: 1e12,
      detachedReason: 'by hand',
      manuallyCreated: true,
      resourceId: null,
    };
    const { body } = await api('POST', '/subscription-item-features', {
      subscriptionItemFeature: { ...grant, amount: String(grant.amount) },
    });
    expect(body.subscriptionItemFeature).toEqual({ ...record, ...grant, name: 'Credits' });
  });

  test.for([
    ['subscriptionItemId: is required', { subscriptionItemId: undefined }],
    ['subscriptionItemId: Unknown subscription item si_x', { subscriptionItemId: 'si_x' }],
    ['featureId: Unknown feature feature_x', { featureId: 'feature_x' }],
    ['type: must be one of', { type: 'switch' }],
    ['amount: is not allowed for a toggle feature', { amount: 1 }],
    ['resourceId: is not allowed for a toggle feature', { resourceId: 'resource_x' }],
    [
      'productFeatureId: Unknown product feature product_feature_x',
      { productFeatureId: 'product_feature_x' },
    ],
    ['expiredAt: must be integer milliseconds', { expiredAt: 'soon' }],
  ] as const)('400 for %s', async ([text, wrong], { api, session }) => {
    const { slug: _slug, ...ids } = await anItem(session);
    const answer = await api('POST', '/subscription-item-features', {
      subscriptionItemFeature: { ...ids, type: 'toggle', ...wrong },
    });
    expect(answer).toMatchObject(issue(`subscriptionItemFeature.${text}`));
    expect(await session.em.fork().count(SubscriptionItemFeature)).toBe(0);
  });

  test('400 for what the item grants already, also when several ask at once', async ({
    api,
    session,
  }) => {
    const { slug: _slug, ...ids } = await anItem(session);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        api('POST', '/subscription-item-features', {
          subscriptionItemFeature: { ...ids, type: 'toggle' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      issue('subscriptionItemFeature.featureId: is already granted by this subscription item'),
    );
  });
});

describe('GET /subscription-item-features/{id}', () => {
  test('200 with the documented record of what came with a product', async ({ api, session }) => {
    const { id: featureId, slug } = await aToggle(session);
    const { id, productFeatureId } = await aGrant(session, featureId);
    const { status, body } = await api('GET', `/subscription-item-features/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { subscriptionItemFeature: { ...record, id, featureId, slug, productFeatureId } },
    });
    expect(productFeatureId).toMatch(/^product_feature_/);
  });
});

describe('PUT /subscription-item-features/{id}', () => {
  test('200 with the changes; what is absent stays', async ({ api, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const grant = await aGrant(session, (await aCreditGrant(session, usageMeterId)).id);
    const changes = { amount: 7, renewalFrequency: 'once', expiredAt: 2e12, manuallyCreated: true };
    const put = (subscriptionItemFeature: object) =>
      api('PUT', `/subscription-item-features/${grant.id}`, { subscriptionItemFeature });
    const { status, body } = await put({ id: grant.id, featureId: grant.featureId, ...changes });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        subscriptionItemFeature: {
          ...record,
          ...changes,
          type: 'usage_credit_grant',
          usageMeterId,
          name: 'Credits',
          productFeatureId: grant.productFeatureId,
        },
      },
    });
    expect((await put({ amount: null })).body).toEqual(body);
  });

  test.for([
    ['id: differs from the id in the path', { id: 'sub_feature_x' }],
    ['featureId: cannot change', { featureId: 'feature_x' }],
    ['subscriptionItemId: cannot change', { subscriptionItemId: 'si_x' }],
    ['type: cannot change', { type: 'resource' }],
    ['amount: is not allowed for a toggle feature', { amount: 1 }],
  ] as const)('400 for %s', async ([text, changes], { api, session }) => {
    const { id } = await aGrant(session, (await aToggle(session)).id);
    const answer = await api('PUT', `/subscription-item-features/${id}`, {
      subscriptionItemFeature: changes,
    });
    expect(answer).toMatchObject(issue(`subscriptionItemFeature.${text}`));
  });
});

describe('POST /subscription-item-features/{id}/expire', () => {
  test('200 with the instant that is given, in the past or to come, else with now', async ({
    api,
    session,
  }) => {
    const { id } = await aGrant(session, (await aToggle(session)).id);
    const expire = async (body: object) =>
      (await api('POST', `/subscription-item-features/${id}/expire`, body)).body
        .subscriptionItemFeature;
    for (const expiredAt of [Date.parse('0001-01-01T00:00:00Z'), 0, 253_402_300_799_999]) {
      expect(await expire({ expiredAt })).toMatchObject({ id, expiredAt });
    }
    const { expiredAt, updatedAt } = await expire({});
    expect(expiredAt).toBe(updatedAt);
  });

  test('400 for an instant that there is not', async ({ api, session }) => {
    const { id } = await aGrant(session, (await aToggle(session)).id);
    for (const expiredAt of [253_402_300_800_000, 1.5, 'soon', Number.MAX_SAFE_INTEGER]) {
      const answer = await api('POST', `/subscription-item-features/${id}/expire`, { expiredAt });
      expect(answer).toMatchObject(issue('expiredAt: must be integer milliseconds'));
    }
  });
});

const byId = [
  ['GET', '', undefined],
  ['PUT', '', { subscriptionItemFeature: {} }],
  ['POST', '/expire', {}],
] as const;

test.for(byId)(
  '404 for %s /subscription-item-features/{id}%s of another tenant',
  async ([method, end, body], { api, database }) => {
    const { session } = await aTenant(database.orm.em);
    const { id } = await aGrant(session, (await aToggle(session)).id);
    for (const unknown of ['sub_feature_none', id]) {
      const answer = await api(method, `/subscription-item-features/${unknown}${end}`, body);
      expect(answer).toMatchObject(notFound(unknown));
    }
  },
);

const toggle = { subscriptionItemId: 'x', featureId: 'x', type: 'toggle' };

const endpoints = [
  ['POST', '', { subscriptionItemFeature: toggle }],
  ...byId.map(([method, end, body]) => [method, `/x${end}`, body] as const),
] as const;

test.for(endpoints)(
  '401 without a key and 403 with a publishable one for %s /subscription-item-features%s',
  async ([method, end, body], { api, session }) => {
    const path = `/subscription-item-features${end}`;
    expect(await api(method, path, body, { key: null })).toMatchObject({ status: 401 });
    const key = await aKey(session, 'publishable');
    expect(await api(method, path, body, { key })).toMatchObject({ status: 403 });
  },
);
