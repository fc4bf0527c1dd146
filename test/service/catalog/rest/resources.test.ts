import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { aProduct, aResource, fresh } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^resource_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  slug: 'seats',
  name: 'Seats',
  active: true,
};

describe('POST /resources', () => {
  test('200 with the documented record', async ({ api }) => {
    const { status, body } = await api('POST', '/resources', {
      resource: { slug: 'seats', name: 'Seats' },
    });
    expect({ status, body }).toEqual({ status: 200, body: { resource: record } });
  });

  test('400 with one issue for each problem', async ({ api }) => {
    expect(await api('POST', '/resources', { resource: { name: 5 } })).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        issues: [
          { message: 'resource.name: String cannot represent a non string value: 5' },
          { message: 'resource.slug: is required' },
        ],
      },
    });
  });

  test('400 for a slug that is taken, also when several ask at once', async ({ api }) => {
    const body = { resource: { slug: 'seats', name: 'Seats' } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => api('POST', '/resources', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      code: 'BAD_REQUEST',
      message: 'Invalid input data',
      issues: [{ message: 'resource.slug: is the slug of another resource of this pricing model' }],
    });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('POST', '/resources', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const body = { resource: { slug: 'seats', name: 'Seats' } };
    expect(await api('POST', '/resources', body, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});

describe('GET /resources', () => {
  test('200 with all resources, oldest first, outside any envelope', async ({ api, session }) => {
    await aResource(session, { slug: 'seats' });
    await aResource(session, { slug: 'projects' });
    const { status, body } = await api('GET', '/resources');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['resources']);
    expect(body.resources.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
      'projects',
      'seats',
    ]);
  });

  test('200 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/resources', undefined, { key })).toMatchObject({ status: 200 });
  });
});

describe('GET /resources/{id}', () => {
  test('200 with the documented record, also with a publishable key', async ({ api, session }) => {
    const { id } = await aResource(session, { slug: 'seats' });
    const { id: featureId } = await createFeature(fresh(session), {
      feature: {
        ...{ type: 'resource', name: 'Seats', description: 'Seats', slug: 'five' },
        ...{ amount: 5, resourceId: id },
      },
    });
    await aProduct(session, { featureIds: [featureId] });
    for (const type of ['secret', 'publishable'] as const) {
      const key = await aKey(session, type);
      const { status, body } = await api('GET', `/resources/${id}`, undefined, { key });
      expect({ status, body }).toEqual({ status: 200, body: { resource: { ...record, id } } });
    }
  });

  test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aResource(other.session);
    for (const unknown of ['resource_none', id]) {
      const { status, body } = await api('GET', `/resources/${unknown}`);
      const message = `Resource ${unknown} not found`;
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message, issues: [] },
      });
    }
  });
});

describe('PUT /resources/{id}', () => {
  test('200 with the changes; what is absent or null stays', async ({ api, session }) => {
    const { id } = await aResource(session, { slug: 'seats' });
    const resource = { id, name: 'Chairs', slug: null, active: false };
    const { status, body } = await api('PUT', `/resources/${id}`, { resource });
    expect({ status, body }).toEqual({
      status: 200,
      body: { resource: { ...record, id, name: 'Chairs', active: false } },
    });
    expect(body.resource.updatedAt).toBeGreaterThanOrEqual(body.resource.createdAt);
  });

  test('200 for its own slug again', async ({ api, session }) => {
    const { id } = await aResource(session, { slug: 'seats' });
    const answer = await api('PUT', `/resources/${id}`, { resource: { slug: 'seats' } });
    expect(answer).toMatchObject({ status: 200 });
  });

  test('400 for a slug that is taken, for an empty name and for the id of another', async ({
    api,
    session,
  }) => {
    await aResource(session, { slug: 'taken' });
    const { id } = await aResource(session, { slug: 'seats' });
    for (const resource of [{ slug: 'taken' }, { name: '' }, { id: 'other' }]) {
      const { status, body } = await api('PUT', `/resources/${id}`, { resource });
      const [field] = Object.keys(resource);
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        { message: expect.stringMatching(new RegExp(`^resource\\.${field}: `)) },
      ]);
    }
  });

  test('404 for an unknown id and for one of another tenant, which stays as it is', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aResource(other.session, { slug: 'seats' });
    for (const unknown of ['resource_none', id]) {
      const answer = await api('PUT', `/resources/${unknown}`, { resource: { slug: 'stolen' } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const kept = await api('GET', `/resources/${id}`, undefined, { key: other.key });
    expect(kept.body.resource.slug).toBe('seats');
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const { id } = await aResource(session);
    const key = await aKey(session, 'publishable');
    expect(await api('PUT', `/resources/${id}`, { resource: {} }, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});

test.for([
  ['GET', '/resources'],
  ['GET', '/resources/x'],
  ['PUT', '/resources/x'],
] as const)('401 for %s %s without a key', async ([method, path], { api }) => {
  expect(await api(method, path, undefined, { key: null })).toMatchObject({ status: 401 });
});
