import { describe, expect } from 'vitest';
import { routes } from '#rest/index.ts';
import { test } from '../../support/test.ts';

const messages = ({ body }: { body: { issues: { message: string }[] } }) =>
  body.issues.map(({ message }) => message);

describe('Query parameters that an endpoint does not have', () => {
  const paths = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replaceAll(/:\w+/g, 'none'));

  test('every GET refuses them by name and lists those that it takes', async ({ api }) => {
    for (const path of paths) {
      const answer = await api('GET', `${path}?constructor=1&limits=5`);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(messages(answer)).toEqual([
        expect.stringMatching(/^constructor: is not a query parameter of GET \/api\/v1/),
        expect.stringMatching(/^limits: is not a query parameter of GET \/api\/v1/),
      ]);
    }
  });

  test('are refused whatever their spelling, never ignored', async ({ api }) => {
    for (const query of [
      'Limit=5',
      'limit[]=5',
      'customer_id=a',
      'customerIds=',
      '=1',
      'limit%20=5',
    ]) {
      expect((await api('GET', `/payment-methods?${query}`)).status).toBe(400);
    }
    expect(messages(await api('GET', '/features?page=2'))).toEqual([
      expect.stringMatching(/^page: .* which takes .*limit, cursor/),
    ]);
  });

  test('a GET may name the pricing model of its API key, and no other', async ({
    api,
    session,
  }) => {
    const own = await api('GET', `/resources?pricingModelId=${session.pricingModelId}`);
    expect(own).toMatchObject({ status: 200, body: { resources: [] } });
    const other = await api('GET', '/resources?pricingModelId=pricing_model_other');
    expect(other.status).toBe(400);
    expect(messages(other)).toEqual([
      `pricingModelId: must be ${session.pricingModelId}, the pricing model of the API key; use a key of pricing_model_other to access it`,
    ]);
  });

  test('a query may repeat what the path says, and says nothing else', async ({ api }) => {
    const path = '/resource-claims/sub_one/usage?resourceSlug=seats';
    expect(await api('GET', `${path}&subscriptionId=sub_one`)).toMatchObject({ status: 404 });
    for (const other of ['sub_two', '', 'sub_one&subscriptionId=sub_two']) {
      const answer = await api('GET', `${path}&subscriptionId=${other}`);
      expect(messages(answer)).toEqual([
        expect.stringMatching(/^subscriptionId: is not a query parameter of GET /),
      ]);
    }
  });

  test('a POST and a PUT take none: what is sent there would be a second body', async ({ api }) => {
    const body = { resource: { slug: 'seats', name: 'Seats' } };
    const answer = await api('POST', '/resources?active=false', body);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      'active: is not a query parameter of POST /api/v1/resources, which takes no query parameters, but a JSON body',
    ]);
    expect((await api('GET', '/resources')).body.resources).toEqual([]);
  });
});

describe('Quoted numbers', () => {
  const product = (unitPrice: unknown) => ({
    product: { name: 'Pro', slug: `pro-${unitPrice}` },
    price: { type: 'subscription', intervalUnit: 'month', unitPrice },
  });

  test('whole numbers have digits only', async ({ api }) => {
    const made = await api('POST', '/products', product('4900'));
    const read = await api('GET', `/products/${made.body.product.id}`);
    expect(read.body.defaultPrice.unitPrice).toBe(4_900);
    for (const text of [
      '49.00',
      '49.0',
      '4.9e1',
      '49,00',
      ' 49',
      '+49',
      '0x31',
      '',
      '9007199254740993',
    ]) {
      const answer = await api('POST', '/products', product(text));
      expect([text, answer.status]).toEqual([text, 400]);
      expect(messages(answer)[0]).toMatch(/^price\.unitPrice: /);
    }
  });

  test('it is the same for counts, for pages and for times', async ({ api }) => {
    expect((await api('GET', '/products?limit=1.0')).status).toBe(400);
    expect((await api('GET', '/products?limit=1')).status).toBe(200);
    expect((await api('GET', '/events?after=0.0')).status).toBe(400);
    const clock = { testClock: { frozenTime: '1769853600000.0' } };
    expect((await api('POST', '/test-clocks', clock)).status).toBe(400);
  });
});

describe('A body for another tenant than the key’s', () => {
  const bodies: [string, string, Record<string, unknown>][] = [
    ['/usage-meters', 'usageMeter', { name: 'Calls', slug: 'calls' }],
    ['/resources', 'resource', { name: 'Seats', slug: 'seats' }],
    ['/customers', 'customer', { name: 'Ada', email: 'ada@example.com', externalId: 'ada' }],
    ['/products', 'product', { name: 'Pro', slug: 'pro' }],
    ['/features', 'feature', { type: 'toggle', name: 'SSO', slug: 'sso', description: '' }],
    [
      '/webhooks',
      'webhook',
      { name: 'W', url: 'https://93.184.215.14', filterTypes: ['customer.created'] },
    ],
    ['/test-clocks', 'testClock', { frozenTime: 0 }],
  ];
  const price = { type: 'subscription', intervalUnit: 'month', unitPrice: 100 };

  test.for(bodies)('%s refuses it by name', async ([path, record, fields], { api, session }) => {
    const { body } = await api('POST', '/pricing-models', { pricingModel: { name: 'Other' } });
    const other = body.pricingModel.id;
    const send = (more: object) =>
      api('POST', path, {
        [record]: { ...fields, ...more },
        ...(record === 'product' && { price }),
      });
    expect(messages(await send({ pricingModelId: other }))).toEqual([
      expect.stringContaining(`${record}.pricingModelId: must be ${session.pricingModelId}`),
    ]);
    expect(messages(await send({ livemode: true }))).toEqual([
      `${record}.livemode: must be false, the mode of the API key`,
    ]);
    expect(messages(await send({ organizationId: 'org_other' }))[0]).toMatch(
      new RegExp(`^${record}\\.organizationId: must be `),
    );
    const { organizationId, livemode, pricingModelId } = session;
    expect((await send({ organizationId, livemode, pricingModelId })).status).toBe(200);
  });

  test('in any place of the body', async ({ api }) => {
    const other = { pricingModelId: 'pricing_model_other' };
    const event = {
      subscriptionId: 'sub_x',
      transactionId: 't',
      amount: 1,
      usageMeterSlug: 'calls',
    };
    expect(
      messages(
        await api('POST', '/usage-events/bulk', { usageEvents: [event, { ...event, ...other }] }),
      ),
    ).toEqual([expect.stringMatching(/^usageEvents\.1\.pricingModelId: must be /)]);
    expect(messages(await api('POST', '/subscriptions', { ...other, priceSlug: 'free' }))).toEqual([
      expect.stringMatching(/^pricingModelId: must be /),
    ]);
  });

  test('what only looks like a field of it is left alone', async ({ api, session }) => {
    const resource = { slug: 'seats', name: 'Seats', pricingModelId: session.pricingModelId };
    expect((await api('POST', '/resources', { resource })).status).toBe(200);
    const metadata = { pricingModelId: 'mine', livemode: 'perhaps' };
    const body = { metadata, customerExternalId: 'nobody', priceSlug: 'free' };
    expect(messages(await api('POST', '/subscriptions', body))[0]).toMatch(/^customerExternalId: /);
  });
});

test('fields of a customer that no call changes are refused when they differ', async ({ api }) => {
  const fields = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };
  const archived = await api('POST', '/customers', { customer: { ...fields, archived: true } });
  expect(messages(archived)).toEqual([
    'customer.archived: must be false: use the operation that archives a customer',
  ]);
  const { body } = await api('POST', '/customers', { customer: { ...fields, archived: false } });
  const { customer } = body.data;
  const put = (changes: object) => api('PUT', '/customers/ada', { customer: changes });
  expect((await put({ ...customer, name: 'Ada L.' })).body.customer.name).toBe('Ada L.');
  for (const change of [
    { externalId: 'bob' },
    { archived: true },
    { testClockId: 'test_clock_x' },
  ]) {
    expect((await put(change)).status).toBe(400);
  }
});

test('a customer’s id in the place of its externalId is named as that', async ({ api }) => {
  const { status, body } = await api('GET', '/customers/cust_4711');
  expect(status).toBe(404);
  expect(body.message).toContain("pass the customer's externalId");
});
