import { describe, expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { aCustomer, aPaymentMethod, aTestClock } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const input = { email: 'ada@example.com', name: 'Ada', externalId: 'ada' };

const record = {
  id: expect.stringMatching(/^cust_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  email: 'ada@example.com',
  name: 'Ada',
  invoiceNumberBase: expect.stringMatching(/^[0-9A-F]{7}$/),
  archived: false,
  logoURL: null,
  iconURL: null,
  domain: null,
  externalId: 'ada',
  userId: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  billingAddress: null,
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (externalId: string) => ({
  status: 404,
  body: {
    code: 'NOT_FOUND',
    message: `Customer with external id ${externalId} not found`,
    issues: [],
  },
});

describe('POST /customers', () => {
  test('200 with the customer, its free plan and the items of that', async ({ api }) => {
    const { status, body } = await api('POST', '/customers', { customer: input });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        customer: record,
        subscription: expect.objectContaining({
          customerId: body.data.customer.id,
          status: 'active',
          isFreePlan: true,
          current: true,
          renews: true,
        }),
        subscriptionItems: [expect.objectContaining({ unitPrice: 0, quantity: 1 })],
      },
    });
    const [item] = body.data.subscriptionItems;
    expect(item.subscriptionId).toBe(body.data.subscription.id);
  });

  test('200 with every field that it takes, and null as absent', async ({ api, session }) => {
    const { id: testClockId } = await aTestClock(session);
    const full = {
      ...input,
      externalId: 'ключ/ä 💸',
      logoURL: 'https://example.com/logo.png',
      iconURL: '',
      domain: 'example.com',
      userId: 'user-1',
    };
    const customer = { ...full, testClockId, archived: false };
    const { body } = await api('POST', '/customers', { customer });
    expect(body.data.customer).toEqual({ ...record, ...full });
    const path = `/customers/${encodeURIComponent(full.externalId)}`;
    expect((await api('GET', path)).body.customer).toEqual({ ...record, ...full });
    const all = await api('GET', path, undefined, { headers: { prefer: 'include=all' } });
    expect(all.headers.get('preference-applied')).toBe('include=all');
    const extras = { testClockId, taxIds: [], metadata: null };
    expect(all.body.customer).toMatchObject({ ...record, ...full, ...extras });
    const bare = { ...input, logoURL: null, domain: null, testClockId: null };
    expect((await api('POST', '/customers', { customer: bare })).body.data.customer).toEqual(
      record,
    );
  });

  test.for([
    ['no address', { email: undefined }, 'email: is required'],
    ['an address that is none', { email: 'ada' }, 'email: '],
    ['an empty name', { name: ' ' }, 'name: '],
    ['an external id that is too long', { externalId: 'x'.repeat(256) }, 'externalId: '],
    ['an external id with U+0000', { externalId: 'a\0' }, 'externalId: '],
    ['a picture that is none', { logoURL: 'ftp://example.com' }, 'logoURL: '],
    [
      'an unknown test clock',
      { testClockId: 'test_clock_x' },
      'testClockId: Unknown test clock test_clock_x',
    ],
  ] as const)('400 for %s', async ([_, wrong, text], { api, session }) => {
    const answer = await api('POST', '/customers', { customer: { ...input, ...wrong } });
    expect(answer).toMatchObject(issue(`customer.${text}`));
    expect(await session.em.fork().count(Customer)).toBe(0);
  });

  test('400 for an external id that is taken, whichever of several requests is first', async ({
    api,
  }) => {
    const create = () => api('POST', '/customers', { customer: input });
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await create()).toMatchObject(
      issue('customer.externalId: is the external id of another customer'),
    );
    expect((await api('GET', '/customers')).body.total).toBe(1);
    expect((await api('GET', '/subscriptions')).body.total).toBe(1);
  });
});

describe('GET /customers', () => {
  test('200 with those who are not archived, oldest first, page by page', async ({
    api,
    session,
  }) => {
    for (const externalId of ['a', 'b', 'c', 'd']) await aCustomer(session, { externalId });
    await api('POST', '/customers/b/archive');
    const first = (await api('GET', '/customers?limit=2')).body;
    expect(first).toEqual({
      data: [expect.any(Object), expect.any(Object)],
      hasMore: true,
      total: 3,
      nextCursor: expect.any(String),
    });
    const next = (await api('GET', `/customers?limit=2&cursor=${first.nextCursor}`)).body;
    expect(next).toMatchObject({ hasMore: false, total: 3, currentCursor: first.nextCursor });
    const listed = [...first.data, ...next.data].map(({ externalId }) => externalId);
    expect(listed.toSorted()).toEqual(['a', 'c', 'd']);
  });

  test('200 with the archived ones only for archived=true', async ({ api, session }) => {
    for (const externalId of ['a', 'b']) await aCustomer(session, { externalId });
    await api('POST', '/customers/b/archive');
    for (const archived of [true, false]) {
      const { body } = await api('GET', `/customers?archived=${archived}`);
      expect(body.total).toBe(1);
    }
    const of = async (query: string) =>
      (await api('GET', `/customers${query}`)).body.data.map(
        ({ externalId }: { externalId: string }) => externalId,
      );
    expect(await of('?archived=true')).toEqual(['b']);
    expect(await of('?archived=false')).toEqual(['a']);
  });

  test('400 for a cursor of the other list and for a filter that is neither', async ({
    api,
    session,
  }) => {
    for (const externalId of ['a', 'b']) await aCustomer(session, { externalId });
    const { nextCursor } = (await api('GET', '/customers?limit=1')).body;
    expect(await api('GET', `/customers?archived=true&cursor=${nextCursor}`)).toMatchObject(
      issue('cursor: '),
    );
    expect(await api('GET', '/customers?archived=maybe')).toMatchObject(issue('archived: '));
    expect(await api('GET', '/customers?limit=0')).toMatchObject(issue('limit: '));
  });
});

describe('GET /customers/{externalId}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { externalId } = await aCustomer(session);
    const { status, body } = await api('GET', `/customers/${externalId}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { customer: { ...record, externalId } },
    });
  });

  test('404 for an unknown one, one of another tenant, an id of ours, and an archived one', async ({
    api,
    session,
    database,
  }) => {
    const other = await aCustomer((await aTenant(database.orm.em)).session);
    const own = await aCustomer(session, { externalId: 'gone' });
    await api('POST', '/customers/gone/archive');
    for (const externalId of ['none', other.externalId, own.id, 'gone']) {
      const { body } = notFound(externalId);
      expect(await api('GET', `/customers/${externalId}`)).toMatchObject({
        status: 404,
        body: { ...body, message: expect.stringContaining(body.message) },
      });
    }
  });
});

describe('PUT /customers/{externalId}', () => {
  test('200 with the changes; what is absent stays, and "" empties a text', async ({
    api,
    session,
  }) => {
    await aCustomer(session, { externalId: 'ada' });
    const put = (customer: object) => api('PUT', '/customers/ada', { customer });
    const changes = { name: 'Ada L.', email: 'l@example.com', domain: 'example.com', userId: 'u' };
    expect(await put(changes)).toMatchObject({
      status: 200,
      body: { customer: { ...record, ...changes } },
    });
    expect((await put({ domain: '', name: null, userId: null })).body.customer).toMatchObject({
      name: 'Ada L.',
      domain: '',
      userId: null,
    });
  });

  test('keeps fields that cannot change when they are repeated', async ({ api, session }) => {
    const { externalId, pricingModelId } = await aCustomer(session, { externalId: 'ada' });
    const customer = { externalId, archived: false, pricingModelId, testClockId: null };
    expect((await api('PUT', '/customers/ada', { customer })).body.customer).toEqual(record);
  });

  test('400 with the field for a change that is refused', async ({ api, session }) => {
    await aCustomer(session, { externalId: 'ada' });
    expect(await api('PUT', '/customers/ada', { customer: { email: 'x' } })).toMatchObject(
      issue('customer.email: '),
    );
    expect(await api('PUT', '/customers/ada', {})).toMatchObject(issue('customer: is required'));
  });

  test('404 for an unknown and for an archived one', async ({ api, session }) => {
    await aCustomer(session, { externalId: 'gone' });
    await api('POST', '/customers/gone/archive');
    for (const externalId of ['none', 'gone']) {
      expect(await api('PUT', `/customers/${externalId}`, { customer: {} })).toMatchObject(
        notFound(externalId),
      );
    }
  });
});

describe('POST /customers/{externalId}/archive', () => {
  test('200 with the archived record, and again with the same one', async ({ api, session }) => {
    await aCustomer(session, { externalId: 'ada' });
    const { status, body } = await api('POST', '/customers/ada/archive');
    expect({ status, body }).toEqual({
      status: 200,
      body: { customer: { ...record, archived: true } },
    });
    expect((await api('POST', '/customers/ada/archive')).body).toEqual(body);
  });

  test('404 for an unknown one', async ({ api }) => {
    expect(await api('POST', '/customers/none/archive')).toMatchObject(notFound('none'));
  });
});

describe('POST /customers/{id}/erase', () => {
  test('200 with the customer and the report', async ({ api, session }) => {
    const { id, externalId } = await aCustomer(session);
    await api('POST', `/customers/${externalId}/archive`, {});
    const { status, body } = await api('POST', `/customers/${id}/erase`, {});
    expect(status).toBe(200);
    expect(body).toEqual({
      customer: expect.objectContaining({
        id,
        name: 'Erased customer',
        externalId: id,
        erasedAt: expect.any(Number),
      }),
      erased: expect.arrayContaining([{ kind: 'Customer', count: 1 }]),
      kept: [],
    });
  });

  test('400 for one that is not archived', async ({ api, session }) => {
    const { id } = await aCustomer(session);
    const { status, body } = await api('POST', `/customers/${id}/erase`, {});
    expect(status).toBe(400);
    expect(body.issues[0].message).toMatch(/is not archived: archive the customer first/);
  });

  test('404 for an unknown customer', async ({ api }) => {
    expect((await api('POST', '/customers/cust_none/erase', {})).status).toBe(404);
  });
});

describe('GET /customers/{externalId}/billing', () => {
  test('200 with all that an application shows', async ({ api, session }) => {
    const customer = await aCustomer(session, { externalId: 'ada' });
    const method = await aPaymentMethod(session, customer.id);
    const { status, body } = await api('GET', '/customers/ada/billing');
    expect(status).toBe(200);
    const details = expect.objectContaining({
      customerId: customer.id,
      subscriptionItems: [expect.objectContaining({ price: expect.any(Object) })],
      experimental: { featureItems: [], usageMeterBalances: [] },
    });
    const model = expect.objectContaining({ id: session.pricingModelId });
    expect(body).toEqual({
      customer: record,
      subscriptions: [details],
      currentSubscriptions: [details],
      currentSubscription: details,
      invoices: [],
      paymentMethods: [expect.objectContaining({ id: method.id, default: true })],
      billingPortalUrl: expect.stringMatching(/^http:\/\/test\/portal\/open\/cust_/),
      purchases: [],
      pricingModel: model,
      catalog: model,
    });
  });

  test('404 for an unknown and for an archived one', async ({ api, session }) => {
    await aCustomer(session, { externalId: 'gone' });
    await api('POST', '/customers/gone/archive');
    for (const externalId of ['none', 'gone']) {
      expect(await api('GET', `/customers/${externalId}/billing`)).toMatchObject(
        notFound(externalId),
      );
    }
  });
});

const endpoints = [
  ['GET', '/customers', undefined],
  ['GET', '/customers/x', undefined],
  ['GET', '/customers/x/billing', undefined],
  ['POST', '/customers', { customer: input }],
  ['PUT', '/customers/x', { customer: {} }],
  ['POST', '/customers/x/archive', undefined],
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path, body], { api }) => {
  expect(await api(method, path, body, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints)(
  '403 for %s %s with a publishable key',
  async ([method, path, body], { api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api(method, path, body, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  },
);
