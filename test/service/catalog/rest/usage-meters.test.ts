import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^usage_meter_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  name: 'API calls',
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  slug: 'calls',
  aggregationType: 'sum',
};

const calls = { name: 'API calls', slug: 'calls' };

/** The prices of a meter, the fallback first. */
const pricesOf = ({ em }: Session, usageMeter: string) =>
  em.fork().find(Price, { usageMeter }, { orderBy: { noCharge: 'desc' } });

const monthly = {
  type: 'usage',
  currency: 'USD',
  intervalUnit: 'month',
  intervalCount: 1,
  active: true,
};
const fallback = { ...monthly, unitPrice: 0, usageEventsPerUnit: 1, noCharge: true };

describe('POST /usage-meters', () => {
  test('200 with the documented record, in the key’s pricing model', async ({ api, session }) => {
    const { status, body } = await api('POST', '/usage-meters', { usageMeter: calls });
    expect({ status, body }).toEqual({ status: 200, body: { usageMeter: record } });
    expect(body.usageMeter.pricingModelId).toBe(session.pricingModelId);
  });

  test('without a price the no-charge price is the default', async ({ api, session }) => {
    const { body } = await api('POST', '/usage-meters', { usageMeter: calls });
    expect(await pricesOf(session, body.usageMeter.id)).toMatchObject([
      { ...fallback, slug: 'calls_no_charge', name: 'API calls - No Charge', isDefault: true },
    ]);
  });

  test.for([
    [
      { unitPrice: 250, usageEventsPerUnit: 1_000 },
      { unitPrice: 250, usageEventsPerUnit: 1_000 },
    ],
    [{ unitPrice: 250 }, { unitPrice: 250, usageEventsPerUnit: 1 }],
    [{ usageEventsPerUnit: 10 }, { unitPrice: 0, usageEventsPerUnit: 10 }],
    [
      { unitPrice: 0, type: 'usage' },
      { unitPrice: 0, usageEventsPerUnit: 1 },
    ],
  ] as const)(
    'with the price %o a price under its own slug is the default',
    async ([price, stored], { api, session }) => {
      const { body } = await api('POST', '/usage-meters', { usageMeter: calls, price });
      expect(await pricesOf(session, body.usageMeter.id)).toMatchObject([
        { ...fallback, slug: 'calls_no_charge', isDefault: false },
        {
          ...monthly,
          ...stored,
          slug: 'calls',
          name: 'API calls',
          isDefault: true,
          noCharge: false,
        },
      ]);
    },
  );

  test('an empty price is no price', async ({ api, session }) => {
    const { body } = await api('POST', '/usage-meters', { usageMeter: calls, price: {} });
    expect(await pricesOf(session, body.usageMeter.id)).toHaveLength(1);
  });

  test.for(['sum', 'count_distinct_properties'])(
    '200 aggregating by %s',
    async (aggregationType, { api }) => {
      const answer = await api('POST', '/usage-meters', {
        usageMeter: { ...calls, aggregationType },
      });
      expect(answer).toMatchObject({ status: 200, body: { usageMeter: { aggregationType } } });
    },
  );

  test('400 with one issue for each problem', async ({ api }) => {
    const usageMeter = { slug: 5, aggregationType: 'average' };
    expect(
      await api('POST', '/usage-meters', { usageMeter, price: { unitPrice: 0.5 } }),
    ).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        issues: [
          {
            message:
              'usageMeter.aggregationType: must be one of count, count_distinct_properties, last, max, sum',
          },
          { message: 'usageMeter.name: is required' },
          { message: 'usageMeter.slug: String cannot represent a non string value: 5' },
          { message: expect.stringMatching(/^price\.unitPrice: must be a whole number/) },
        ],
      },
    });
  });

  test.for([
    [{ usageMeter: { ...calls, name: ' ' } }, 'usageMeter.name'],
    [{ usageMeter: { ...calls, name: 'x'.repeat(256) } }, 'usageMeter.name'],
    [{ usageMeter: { ...calls, slug: '' } }, 'usageMeter.slug'],
    [{ usageMeter: calls, price: { unitPrice: -1 } }, 'price.unitPrice'],
    [{ usageMeter: calls, price: { usageEventsPerUnit: 0 } }, 'price.usageEventsPerUnit'],
  ] as const)('400 for %o', async ([input, path], { api }) => {
    const { status, body } = await api('POST', '/usage-meters', input);
    expect(status).toBe(400);
    expect(body.issues[0].message).toContain(`${path}: `);
  });

  test('200 for the longest name and slug, 400 beyond', async ({ api, session }) => {
    const longest = { name: 'n'.repeat(255), slug: 's'.repeat(245) };
    const { status, body } = await api('POST', '/usage-meters', {
      usageMeter: longest,
      price: { unitPrice: 1 },
    });
    expect(status).toBe(200);
    const [free] = await pricesOf(session, body.usageMeter.id);
    expect(free).toMatchObject({
      slug: `${longest.slug}_no_charge`,
      name: expect.stringMatching(/n - No Charge$/),
    });
    const usageMeter = { ...longest, slug: `${longest.slug}s` };
    expect(await api('POST', '/usage-meters', { usageMeter })).toMatchObject({ status: 400 });
  });

  test('one slug goes to exactly one of those who ask at once', async ({ api, session }) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        api('POST', '/usage-meters', { usageMeter: calls, price: { unitPrice: 1 } }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200);
    const losers = answers.filter(({ status }) => status !== 200);
    expect(winners).toHaveLength(1);
    for (const { status, body } of losers) {
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: 'Invalid input data',
          issues: [
            {
              message: 'usageMeter.slug: is the slug of another usage meter of this pricing model',
            },
          ],
        },
      });
    }
    expect(await pricesOf(session, winners[0]?.body.usageMeter.id)).toHaveLength(2);
  });

  test('another tenant may have the same slug', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    await aUsageMeter(other.session, { slug: 'calls' });
    expect(await api('POST', '/usage-meters', { usageMeter: calls })).toMatchObject({
      status: 200,
    });
  });
});

describe('GET /usage-meters/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aUsageMeter(session, { slug: 'calls' });
    const { status, body } = await api('GET', `/usage-meters/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { usageMeter: { ...record, id } } });
  });

  test('200 with a publishable key', async ({ api, session }) => {
    const { id } = await aUsageMeter(session);
    await aUsagePrice(session, id);
    const key = await aKey(session, 'publishable');
    expect(await api('GET', `/usage-meters/${id}`, undefined, { key })).toMatchObject({
      status: 200,
    });
  });

  test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aUsageMeter(other.session);
    for (const unknown of ['usage_meter_none', id]) {
      const { status, body } = await api('GET', `/usage-meters/${unknown}`);
      const message = `UsageMeter ${unknown} not found`;
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message, issues: [] },
      });
    }
  });
});

describe('GET /usage-meters', () => {
  test('200 in the list envelope, also with a publishable key', async ({ api, session }) => {
    const { id } = await aUsageMeter(session, { slug: 'calls' });
    await aUsagePrice(session, id);
    const key = await aKey(session, 'publishable');
    const { status, body } = await api('GET', '/usage-meters', undefined, { key });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [record], hasMore: false, total: 1 },
    });
  });
});

describe('PUT /usage-meters/{id}', () => {
  test('200 with the changes; what is absent stays', async ({ api, session }) => {
    const { id } = await aUsageMeter(session, { slug: 'calls' });
    const changes = { id, name: 'Requests', aggregationType: 'count_distinct_properties' };
    const { status, body } = await api('PUT', `/usage-meters/${id}`, { usageMeter: changes });
    expect({ status, body }).toEqual({
      status: 200,
      body: { usageMeter: { ...record, ...changes } },
    });
  });

  test('a new slug carries the no-charge price along, so that the two are found together', async ({
    api,
    session,
  }) => {
    const { id } = await aUsageMeter(session, { slug: 'calls' });
    await api('PUT', `/usage-meters/${id}`, { usageMeter: { id, slug: 'requests' } });
    expect(await pricesOf(session, id)).toMatchObject([
      { slug: 'requests_no_charge', isDefault: true },
    ]);
  });

  test('400 for a slug that is taken, and nothing changes', async ({ api, session }) => {
    await aUsageMeter(session, { slug: 'taken' });
    const { id } = await aUsageMeter(session, { slug: 'calls' });
    const answer = await api('PUT', `/usage-meters/${id}`, {
      usageMeter: { name: 'New', slug: 'taken' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringMatching(/^usageMeter\.slug: /) }] },
    });
    expect(await api('GET', `/usage-meters/${id}`)).toMatchObject({ body: { usageMeter: record } });
    expect(await pricesOf(session, id)).toMatchObject([{ slug: 'calls_no_charge' }]);
  });

  test('400 for a body that names another record', async ({ api, session }) => {
    const { id } = await aUsageMeter(session);
    expect(await api('PUT', `/usage-meters/${id}`, { usageMeter: { id: 'other' } })).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'usageMeter.id: differs from the id in the path' }] },
    });
  });

  test('404 for an unknown id', async ({ api }) => {
    const answer = await api('PUT', '/usage-meters/none', { usageMeter: { name: 'New' } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

test.for([
  ['GET', '/usage-meters'],
  ['GET', '/usage-meters/x'],
  ['POST', '/usage-meters'],
  ['PUT', '/usage-meters/x'],
] as const)('401 for %s %s without a key', async ([method, path], { api }) => {
  expect(await api(method, path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for([
  ['POST', '/usage-meters'],
  ['PUT', '/usage-meters/x'],
] as const)('403 for %s %s with a publishable key', async ([method, path], { api, session }) => {
  const key = await aKey(session, 'publishable');
  expect(await api(method, path, { usageMeter: calls }, { key })).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', issues: [] },
  });
});
