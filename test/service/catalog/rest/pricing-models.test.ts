import { describe, expect } from 'vitest';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { enterPricingModel, openSession, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import {
  aLiveSession,
  aPricingModel,
  aProduct,
  aToggle,
  aUsageMeter,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^pricing_model_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  isDefault: false,
  name: 'Spring',
};

const slugs = (records: { slug: string }[]) => records.map(({ slug }) => slug).sort();

/** The ids of the defaults in the session's organization and mode: there must be one, always. */
const defaultsOf = async ({ em }: Session) =>
  (await em.fork().find(PricingModel, { isDefault: true })).map(({ id }) => id);

describe('POST /pricing-models', () => {
  test('200 with the documented record', async ({ api }) => {
    const { status, body } = await api('POST', '/pricing-models', {
      pricingModel: { name: 'Spring' },
    });
    expect({ status, body }).toEqual({ status: 200, body: { pricingModel: record } });
  });

  test.for([
    [undefined, { type: 'single_payment', intervalUnit: null, intervalCount: null }],
    ['week', { type: 'subscription', intervalUnit: 'week', intervalCount: 1 }],
  ] as const)(
    'comes with a free default product; its price has the interval %s',
    async ([unit, price], { api, session }) => {
      const created = await api('POST', '/pricing-models', {
        pricingModel: { name: 'Spring' },
        defaultPlanIntervalUnit: unit,
      });
      const { id } = created.body.pricingModel;
      const key = await aKey(enterPricingModel(session, id), 'secret');
      const { body } = await api('GET', `/pricing-models/${id}`, undefined, { key });
      const free = { name: 'Free Plan', slug: 'free', active: true, pricingModelId: id };
      const freePrice = { ...free, ...price, unitPrice: 0, isDefault: true, currency: 'USD' };
      expect(body.pricingModel).toMatchObject({
        products: [{ ...free, default: true, description: 'Default plan', prices: [freePrice] }],
        defaultProduct: { ...free, defaultPrice: freePrice },
        usageMeters: [],
      });
    },
  );

  test('isDefault moves the default, whatever asks at once', async ({ api, session }) => {
    const pricingModel = { name: 'Spring', isDefault: true };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api('POST', '/pricing-models', { pricingModel })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await defaultsOf(session)).toHaveLength(1);
    expect(await session.em.fork().count(PricingModel)).toBe(6);
  });

  test('400 for a second live one, also when several ask at once', async ({ api, session }) => {
    const { em, apiKeyId, ...scope } = session;
    const input = { pricingModel: { name: 'Live', isDefault: true } };
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() =>
        createPricingModel(openSession(em, { ...scope, livemode: true }, apiKeyId), input),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);

    const live = openSession(em, { ...scope, livemode: true }, apiKeyId);
    const { id: pricingModelId } = await live.em.findOneOrFail(PricingModel, { isDefault: true });
    const key = await aKey(openSession(em, { ...scope, livemode: true, pricingModelId }), 'secret');
    const { status, body } = await api(
      'POST',
      '/pricing-models',
      { pricingModel: { name: 'Two' } },
      { key },
    );
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Invalid input data',
        issues: [{ message: expect.stringMatching(/^pricingModel\.livemode: /) }],
      },
    });
  });

  test('400 with one issue for each problem', async ({ api }) => {
    const input = { pricingModel: { isDefault: 'yes' }, defaultPlanIntervalUnit: 'decade' };
    const { status, body } = await api('POST', '/pricing-models', input);
    expect(status).toBe(400);
    expect(body.issues.map(({ message }: { message: string }) => message).sort()).toEqual([
      'defaultPlanIntervalUnit: must be one of day, month, week, year',
      expect.stringMatching(/^pricingModel\.isDefault: /),
      'pricingModel.name: is required',
    ]);
  });
});

describe('GET /pricing-models/{id} and /pricing-models/default', () => {
  test('200 with what it sells, in exactly the documented keys', async ({ api, session }) => {
    const toggle = await aToggle(session);
    await aProduct(session, { slug: 'pro', featureIds: [toggle.id] });
    const meter = await aUsageMeter(session, { slug: 'calls' });
    const { body } = await api('GET', `/pricing-models/${session.pricingModelId}`);
    const { products, usageMeters, defaultProduct, ...model } = body.pricingModel;
    expect(model).toEqual({
      ...record,
      id: session.pricingModelId,
      isDefault: true,
      name: 'Default',
    });
    expect(slugs(products)).toEqual(['free', 'pro']);
    expect(defaultProduct).toEqual(products.find(({ slug }: { slug: string }) => slug === 'free'));
    const pro = products.find(({ slug }: { slug: string }) => slug === 'pro');
    expect(Object.keys(pro).sort()).toEqual(
      `active createdAt default defaultPrice description features id imageURL livemode name organizationId
       pluralQuantityLabel prices pricingModelId singularQuantityLabel slug updatedAt`.split(/\s+/),
    );
    expect(pro).toMatchObject({
      features: [{ id: toggle.id }],
      defaultPrice: { unitPrice: 1_000 },
    });
    const [usageMeter] = usageMeters;
    expect(Object.keys(usageMeter).sort()).toEqual(
      `aggregationType createdAt defaultPrice id livemode name organizationId prices pricingModelId slug
       updatedAt`.split(/\s+/),
    );
    expect(usageMeter).toMatchObject({ id: meter.id, defaultPrice: { slug: 'calls_no_charge' } });
    expect((await api('GET', '/pricing-models/default')).body).toEqual(body);
  });

  test('only active products with an active price, and active meter prices', async ({
    api,
    session,
  }) => {
    await aProduct(session, { slug: 'kept' });
    const gone = await aProduct(session, { slug: 'gone' });
    const unpriced = await aProduct(session, { slug: 'unpriced' });
    await api('PUT', `/products/${gone.id}`, { product: { active: false } });
    await session.em
      .fork()
      .execute('update price set active = false, is_default = false where product_id = ?', [
        unpriced.id,
      ]);
    const { body: meter } = await api('POST', '/usage-meters', {
      usageMeter: { name: 'Calls', slug: 'calls' },
      price: { unitPrice: 5 },
    });
    const { body: prices } = await api('GET', '/prices?limit=100');
    const custom = prices.data.find(({ slug }: { slug: string }) => slug === 'calls');
    const retired = await api('PUT', `/prices/${custom.id}`, { price: { active: false } });
    expect(retired.status).toBe(200);

    const { pricingModel } = (await api('GET', '/pricing-models/default')).body;
    expect(slugs(pricingModel.products)).toEqual(['free', 'kept']);
    const [{ id, prices: left, defaultPrice }] = pricingModel.usageMeters;
    expect(id).toBe(meter.usageMeter.id);
    expect(slugs(left)).toEqual(['calls_no_charge']);
    expect(defaultPrice.slug).toBe('calls_no_charge');
  });

  test('another model, also the default one, is shown with what is in it', async ({
    api,
    session,
  }) => {
    await aProduct(session, { slug: 'here' });
    const other = await aPricingModel(session);
    const toggle = await aToggle(other);
    await aProduct(other, { slug: 'there', featureIds: [toggle.id] });
    await aUsageMeter(other, { slug: 'calls' });
    const path = `/pricing-models/${other.pricingModelId}`;
    const { pricingModel } = (await api('GET', path)).body;
    const key = await aKey(other, 'secret');
    expect((await api('GET', path, undefined, { key })).body).toEqual({ pricingModel });
    const { body: byDefault } = await api('GET', '/pricing-models/default', undefined, { key });
    expect(slugs(byDefault.pricingModel.products)).toEqual(['free', 'here']);
    expect(slugs(pricingModel.products)).toEqual(['free', 'there']);
    const there = pricingModel.products.find(({ slug }: { slug: string }) => slug === 'there');
    expect(there).toMatchObject({ features: [{ id: toggle.id }], prices: [{ unitPrice: 1_000 }] });
    expect(pricingModel).toMatchObject({
      usageMeters: [{ prices: [{ slug: 'calls_no_charge' }], defaultPrice: { isDefault: true } }],
      defaultProduct: { slug: 'free', pricingModelId: other.pricingModelId },
    });
  });

  test('a publishable key sees its own model only', async ({ api, session }) => {
    const { pricingModelId } = await aPricingModel(session);
    const key = await aKey(session, 'publishable');
    const own = await api('GET', `/pricing-models/${session.pricingModelId}`, undefined, { key });
    expect(own).toMatchObject({ status: 200 });
    expect(await api('GET', '/pricing-models/default', undefined, { key })).toMatchObject({
      status: 200,
    });
    const other = await api('GET', `/pricing-models/${pricingModelId}`, undefined, { key });
    expect(other).toMatchObject({ status: 404 });
    const { body } = await api('GET', '/pricing-models', undefined, { key });
    expect(body).toMatchObject({ data: [{ id: session.pricingModelId }], total: 1 });
  });

  test('404 for an unknown id, another tenant’s, the other mode’s, and a missing default', async ({
    api,
    session,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const live = await aLiveSession(session);
    for (const id of ['none', other.session.pricingModelId, live.pricingModelId]) {
      const { status, body } = await api('GET', `/pricing-models/${id}`);
      const message = `PricingModel ${id} not found`;
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message, issues: [] },
      });
    }
    const stray = await aKey(await aPricingModel(session), 'publishable');
    expect(await api('GET', '/pricing-models/default', undefined, { key: stray })).toMatchObject({
      status: 404,
    });
  });
});

test('GET /pricing-models: 200 in the list envelope, with all models of organization and mode', async ({
  api,
  session,
}) => {
  await aPricingModel(session, { name: 'Spring' });
  await aLiveSession(session);
  const { status, body } = await api('GET', '/pricing-models');
  expect(status).toBe(200);
  expect(body).toEqual({ data: expect.any(Array), hasMore: false, total: 2 });
  expect(body.data).toContainEqual(record);
});

describe('PUT /pricing-models/{id}', () => {
  test('200 with a new name', async ({ api, session }) => {
    const { pricingModelId: id } = await aPricingModel(session);
    const { status, body } = await api('PUT', `/pricing-models/${id}`, {
      pricingModel: { id, name: 'Spring' },
    });
    expect({ status, body }).toEqual({ status: 200, body: { pricingModel: { ...record, id } } });
  });

  test('isDefault moves the default and cannot be unset', async ({ api, session }) => {
    const { pricingModelId: id } = await aPricingModel(session);
    const path = `/pricing-models/${id}`;
    const moved = await api('PUT', path, { pricingModel: { isDefault: true } });
    expect(moved).toMatchObject({ status: 200, body: { pricingModel: { isDefault: true } } });
    expect(await defaultsOf(session)).toEqual([id]);
    const { status, body } = await api('PUT', path, { pricingModel: { isDefault: false } });
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ message: expect.stringMatching(/^pricingModel\.isDefault: /) }]);
    expect(await defaultsOf(session)).toEqual([id]);
  });

  test('making the default the default again changes nothing', async ({ api, session }) => {
    const path = `/pricing-models/${session.pricingModelId}`;
    const { body } = await api('PUT', path, { pricingModel: { isDefault: true } });
    expect(body.pricingModel).toMatchObject({
      isDefault: true,
      updatedAt: body.pricingModel.createdAt,
    });
  });

  test('there is exactly one default, whatever is asked at once', async ({ api, session }) => {
    const ids = [session.pricingModelId];
    for (let n = 0; n < 3; n++) ids.push((await aPricingModel(session)).pricingModelId);
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        [...ids, ...ids].map((id) =>
          api('PUT', `/pricing-models/${id}`, { pricingModel: { isDefault: true } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(await defaultsOf(session)).toHaveLength(1);
    }
  });

  test('400 for an empty name and for the id of another', async ({ api, session }) => {
    for (const pricingModel of [{ name: '' }, { id: 'other' }]) {
      const answer = await api('PUT', `/pricing-models/${session.pricingModelId}`, {
        pricingModel,
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
  });

  test('404 for an unknown id and another tenant’s, whose default stays', async ({
    api,
    database,
    session,
  }) => {
    const other = await aTenant(database.orm.em);
    for (const id of ['none', other.session.pricingModelId]) {
      const answer = await api('PUT', `/pricing-models/${id}`, {
        pricingModel: { isDefault: true },
      });
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await defaultsOf(session)).toEqual([session.pricingModelId]);
  });
});

const endpoints = [
  ['GET', '/pricing-models'],
  ['GET', '/pricing-models/default'],
  ['GET', '/pricing-models/x'],
  ['POST', '/pricing-models'],
  ['PUT', '/pricing-models/x'],
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path], { api }) => {
  expect(await api(method, path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints.slice(3))(
  '403 for %s %s with a publishable key',
  async ([method, path], { api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api(method, path, { pricingModel: { name: 'Spring' } }, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  },
);
