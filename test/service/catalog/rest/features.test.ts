import { describe, expect } from 'vitest';
import { aCreditGrant, aResource, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^feature_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  type: 'toggle',
  slug: 'sso',
  name: 'SSO',
  description: 'Sign on',
  amount: null,
  usageMeterId: null,
  renewalFrequency: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  resourceId: null,
  active: true,
};

const toggle = { type: 'toggle', slug: 'sso', name: 'SSO', description: 'Sign on' };

describe('POST /features', () => {
  test('200 with the documented record of a toggle', async ({ api }) => {
    const { status, body } = await api('POST', '/features', { feature: toggle });
    expect({ status, body }).toEqual({ status: 200, body: { feature: record } });
  });

  test('200 with the documented record of a usage credit grant', async ({ api, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const feature = {
      ...toggle,
      type: 'usage_credit_grant',
      amount: 5,
      usageMeterId,
      renewalFrequency: 'once',
    };
    const { status, body } = await api('POST', '/features', { feature });
    const shown = { ...record, ...feature };
    expect({ status, body }).toEqual({ status: 200, body: { feature: shown } });
  });

  test('200 with the documented record of a resource feature', async ({ api, session }) => {
    const { id: resourceId } = await aResource(session);
    const feature = { ...toggle, type: 'resource', amount: 3, resourceId, active: false };
    const { status, body } = await api('POST', '/features', { feature });
    expect({ status, body }).toEqual({ status: 200, body: { feature: { ...record, ...feature } } });
  });

  test('400 with one issue for each problem', async ({ api }) => {
    const { status, body } = await api('POST', '/features', { feature: { type: 'magic' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'BAD_REQUEST', message: 'Invalid input data' });
    expect(body.issues.map(({ message }: { message: string }) => message).toSorted()).toEqual([
      'feature.description: is required',
      'feature.name: is required',
      'feature.slug: is required',
      'feature.type: must be one of resource, toggle, usage_credit_grant',
    ]);
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('POST', '/features', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('POST', '/features', { feature: toggle }, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});

describe('GET /features/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aToggle(session, { slug: 'sso' });
    const { status, body } = await api('GET', `/features/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { feature: { ...record, id } } });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('GET', '/features/feature_x', undefined, { key: null })).toMatchObject({
      status: 401,
    });
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aToggle(other.session);
    for (const path of ['/features/feature_x', `/features/${id}`]) {
      expect(await api('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [] },
      });
    }
  });
});

describe('PUT /features/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const { status, body } = await api('PUT', `/features/${id}`, { feature: { id, ...toggle } });
    expect({ status, body }).toEqual({ status: 200, body: { feature: { ...record, id } } });
  });

  test('400 with the field named', async ({ api, session }) => {
    const { id } = await aToggle(session);
    expect(await api('PUT', `/features/${id}`, { feature: { amount: 5 } })).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'feature.amount: is not allowed for a toggle feature' }] },
    });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('PUT', '/features/feature_x', {}, { key: null })).toMatchObject({
      status: 401,
    });
  });

  test('403 with a publishable key, and nothing changes', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const { id } = await aToggle(session);
    const answer = await api('PUT', `/features/${id}`, { feature: { name: 'Mine' } }, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api('GET', `/features/${id}`)).body.feature.name).toBe('SSO');
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aToggle(other.session);
    for (const path of ['/features/feature_x', `/features/${id}`]) {
      expect(await api('PUT', path, { feature: { name: 'Mine' } })).toMatchObject({ status: 404 });
    }
  });
});

describe('GET /features', () => {
  test('200 with the envelope, inactive ones too', async ({ api, session }) => {
    await aToggle(session, { active: false });
    await aCreditGrant(session, (await aUsageMeter(session)).id);
    const { status, body } = await api('GET', '/features');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total']);
    expect(body).toMatchObject({
      hasMore: false,
      total: 2,
      data: [{ active: expect.any(Boolean) }, {}],
    });
    for (const row of body.data)
      expect(Object.keys(row).sort()).toEqual(Object.keys(record).sort());
    const times = body.data.map(({ createdAt }: { createdAt: number }) => createdAt);
    expect(times).toEqual(times.toSorted());
  });

  test('gives every row exactly once when all pages are walked', async ({ api, session }) => {
    await Promise.all(Array.from({ length: 7 }, () => aToggle(session)));
    const rows = [];
    let query = 'limit=3';
    for (let pages = 0; query && pages < 4; pages++) {
      const { body } = await api('GET', `/features?${query}`);
      expect(body).toMatchObject({ total: 7, hasMore: 'nextCursor' in body });
      rows.push(...body.data);
      query = body.nextCursor && `limit=3&cursor=${body.nextCursor}`;
    }
    expect(rows).toEqual((await api('GET', '/features?limit=100')).body.data);
    expect(rows).toHaveLength(7);
  });

  test('400 for a size out of range; 401 without a key; 200 with a publishable one', async ({
    api,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/features?limit=101')).toMatchObject({ status: 400 });
    expect(await api('GET', '/features', undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', '/features', undefined, { key })).toMatchObject({ status: 200 });
  });
});
