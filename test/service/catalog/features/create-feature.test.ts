import { describe, expect } from 'vitest';
import { aResource, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

const base = { slug: 'f', name: 'F', description: '' };

describe('creating a feature', () => {
  test.for([
    [{ type: 'usage_credit_grant' }, ['amount', 'usageMeterId', 'renewalFrequency'], []],
    [{ type: 'resource' }, ['amount', 'resourceId'], []],
    [
      { type: 'toggle', amount: 1, usageMeterId: 'm', renewalFrequency: 'once', resourceId: 'r' },
      [],
      ['amount', 'usageMeterId', 'renewalFrequency', 'resourceId'],
    ],
    [
      {
        type: 'usage_credit_grant',
        amount: 1,
        usageMeterId: 'm',
        renewalFrequency: 'once',
        resourceId: 'r',
      },
      [],
      ['resourceId'],
    ],
    [
      { type: 'resource', amount: 1, resourceId: 'r', usageMeterId: 'm', renewalFrequency: 'once' },
      [],
      ['usageMeterId', 'renewalFrequency'],
    ],
  ] as const)(
    'needs the fields of its type and no others: %j',
    async ([fields, missing, foreign], { api }) => {
      expect(await api('POST', '/features', { feature: { ...base, ...fields } })).toMatchObject(
        issues(
          ...missing.map((field) => `feature.${field}: is required for a ${fields.type} feature`),
          ...foreign.map(
            (field) => `feature.${field}: is not allowed for a ${fields.type} feature`,
          ),
        ),
      );
    },
  );

  test('takes null as absent, and amounts that come as text', async ({ api, session }) => {
    const { id: resourceId } = await aResource(session);
    const nulls = { usageMeterId: null, renewalFrequency: null, active: null };
    const feature = { ...base, type: 'resource', amount: '7', resourceId, ...nulls };
    expect((await api('POST', '/features', { feature })).body.feature).toMatchObject({
      amount: 7,
      active: true,
    });
  });

  test.for([0, -1, 1.5, 'many'])(
    'refuses %s units of capacity',
    async (amount, { api, session }) => {
      const { id: resourceId } = await aResource(session);
      const { status, body } = await api('POST', '/features', {
        feature: { ...base, type: 'resource', amount, resourceId },
      });
      expect(status).toBe(400);
      expect(body.issues).toEqual([{ message: expect.stringMatching(/^feature\.amount: /) }]);
    },
  );

  test('refuses a usage meter or a resource that the key does not see', async ({
    api,
    database,
  }) => {
    const { session } = await aTenant(database.orm.em);
    const [meter, resource] = [await aUsageMeter(session), await aResource(session)];
    const grant = { ...base, type: 'usage_credit_grant', amount: 1, renewalFrequency: 'once' };
    expect(
      await api('POST', '/features', { feature: { ...grant, usageMeterId: meter.id } }),
    ).toMatchObject(issues(`feature.usageMeterId: Unknown usage meter ${meter.id}`));
    const capacity = { ...base, type: 'resource', amount: 1, resourceId: resource.id };
    expect(await api('POST', '/features', { feature: capacity })).toMatchObject(
      issues(`feature.resourceId: Unknown resource ${resource.id}`),
    );
  });

  test('refuses another pricing model than the key’s, and takes the key’s own', async ({
    api,
    session,
  }) => {
    const create = (pricingModelId: string) =>
      api('POST', '/features', { feature: { ...base, type: 'toggle', pricingModelId } });
    const { status, body } = await create('pricing_model_x');
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { message: expect.stringMatching(/^feature\.pricingModelId: must be /) },
    ]);
    expect((await create(session.pricingModelId)).status).toBe(200);
  });

  test('gives a slug to exactly one of several who ask at once', async ({ api }) => {
    const feature = { ...base, type: 'toggle' };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api('POST', '/features', { feature })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      issues('feature.slug: is the slug of another feature of this pricing model'),
    );
    expect((await api('GET', '/features')).body.total).toBe(1);
  });

  test('lets another organization have the same slug', async ({ api, database }) => {
    const { session } = await aTenant(database.orm.em);
    await aToggle(session, { slug: 'f' });
    expect((await api('POST', '/features', { feature: { ...base, type: 'toggle' } })).status).toBe(
      200,
    );
  });
});
