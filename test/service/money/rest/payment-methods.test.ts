import { describe, expect } from 'vitest';
import {
  aCustomer,
  aLiveSession,
  aPaymentMethod,
  aSubscription,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^pm_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  customerId: expect.stringMatching(/^cust_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  type: 'card',
  default: true,
  paymentMethodData: { brand: 'sandbox', last4: '4242' },
  metadata: null,
  billingDetails: { name: 'Ada', email: 'ada@example.com', address: expect.any(Object) },
};

const emptyAddress = {
  name: null,
  line1: null,
  line2: null,
  city: null,
  state: null,
  postal_code: null,
  country: '',
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (id: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', message: `PaymentMethod ${id} not found`, issues: [] },
});

describe('POST /payment-methods', () => {
  test('200 with the documented record; the first one of a customer is its default', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const create = () =>
      api('POST', '/payment-methods', {
        paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
      });
    const { status, body } = await create();
    expect({ status, body }).toEqual({ status: 200, body: { paymentMethod: record } });
    expect(body.paymentMethod.billingDetails.address).toEqual({
      ...emptyAddress,
      address: emptyAddress,
    });
    expect((await create()).body.paymentMethod.default).toBe(false);
  });

  test('200 with every field that it takes', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const line = { ...emptyAddress, line1: 'Straße 1', postal_code: '10115', country: 'DE' };
    const full = {
      customerId,
      type: 'sepa_debit',
      default: true,
      billingDetails: {
        name: 'Eve',
        email: 'eve@example.com',
        address: { ...line, address: line },
      },
      metadata: { team: 'ä💸', seats: 3, trusted: false },
    };
    const { body } = await api('POST', '/payment-methods', {
      paymentMethod: { ...full, token: 'sandbox_slow' },
    });
    expect(body.paymentMethod).toEqual({ ...record, ...full, paymentMethodData: {} });
    expect(JSON.stringify(body)).not.toContain('sandbox_slow');
    const { data } = (await api('GET', '/payment-methods')).body;
    expect(data.map((method: { default: boolean }) => method.default).sort()).toEqual([
      false,
      true,
    ]);
  });

  test.for([
    ['an unknown customer', { customerId: 'cust_x' }, 'customerId: Unknown customer cust_x'],
    ['an unknown token', { token: 'tok_visa' }, 'token: must be one of sandbox_success'],
    ['another type', { type: 'cash' }, 'type: '],
    ['a country that is none', { billingDetails: { address: { country: 'de' } } }, 'country: '],
    ['metadata with a long text', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a: '],
    ['metadata with U+0000', { metadata: { a: '\0' } }, 'metadata.a: must be well-formed'],
  ] as const)('400 for %s', async ([_, wrong, text], { api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const paymentMethod = { customerId, type: 'card', token: 'sandbox_success', ...wrong };
    expect(await api('POST', '/payment-methods', { paymentMethod })).toMatchObject(issue(text));
    expect((await api('GET', '/payment-methods')).body.total).toBe(0);
  });

  test('400 for a customer of another tenant, an archived one, and in live mode', async ({
    api,
    session,
    database,
  }) => {
    const foreign = await aCustomer((await aTenant(database.orm.em)).session);
    const gone = await aCustomer(session);
    await api('POST', `/customers/${gone.externalId}/archive`);
    const create = (customerId: string, key?: string) =>
      api(
        'POST',
        '/payment-methods',
        { paymentMethod: { customerId, type: 'card', token: 'sandbox_success' } },
        key ? { key } : {},
      );
    expect(await create(foreign.id)).toMatchObject(issue('paymentMethod.customerId: '));
    expect(await create(gone.id)).toMatchObject(issue(`${gone.id} is archived`));
    const live = await aLiveSession(session);
    const customer = await aCustomer(live);
    expect(await create(customer.id, await aKey(live, 'secret'))).toMatchObject(
      issue('paymentMethod.token: cannot be used'),
    );
  });

  test('of several that are added at once as the default exactly one is it', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        api('POST', '/payment-methods', {
          paymentMethod: { customerId, type: 'card', token: 'sandbox_success', default: true },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = (await api('GET', '/payment-methods')).body;
    expect(data.filter((method: { default: boolean }) => method.default)).toHaveLength(1);
  });
});

describe('GET /payment-methods', () => {
  test('200 with the older rendering', async ({ api, session }) => {
    await aPaymentMethod(session, (await aCustomer(session)).id);
    const { status, body } = await api('GET', '/payment-methods');
    const { pricingModelId, ...rest } = record;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const commit = expect.stringMatching(/^v\d/);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            ...rest,
            createdAt: time,
            updatedAt: time,
            createdByCommit: commit,
            updatedByCommit: commit,
          },
        ],
        hasMore: false,
        total: 1,
      },
    });
  });

  test('200 with the current rendering when it is preferred', async ({ api, session }) => {
    await aPaymentMethod(session, (await aCustomer(session)).id);
    const headers = { prefer: 'rendering=current' };
    const { body } = await api('GET', '/payment-methods', undefined, { headers });
    expect(body).toEqual({ data: [record], hasMore: false, total: 1 });
  });

  test('400 for a page that is too large', async ({ api }) => {
    expect(await api('GET', '/payment-methods?limit=101')).toMatchObject(issue('limit: '));
  });
});

describe('GET /payment-methods/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aPaymentMethod(session, (await aCustomer(session)).id);
    const { status, body } = await api('GET', `/payment-methods/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { paymentMethod: { ...record, id } } });
  });
});

describe('POST /payment-methods/{id}/set-default', () => {
  test('200 and the former default is none any longer', async ({ api, session }) => {
    const customer = await aCustomer(session);
    const former = await aPaymentMethod(session, customer.id);
    const { id } = await aPaymentMethod(session, customer.id);
    const { status, body } = await api('POST', `/payment-methods/${id}/set-default`);
    expect({ status, body }).toEqual({ status: 200, body: { paymentMethod: { ...record, id } } });
    const stored = (await api('GET', `/payment-methods/${former.id}`)).body.paymentMethod;
    expect(stored.default).toBe(false);
  });

  test('400 for one that is detached', async ({ api, session }) => {
    const { id } = await aPaymentMethod(session, (await aCustomer(session)).id);
    await api('POST', `/payment-methods/${id}/detach`);
    expect(await api('POST', `/payment-methods/${id}/set-default`)).toMatchObject(
      issue(`id: ${id} is detached`),
    );
  });
});

describe('POST /payment-methods/{id}/detach', () => {
  test('200, again the same, and what it paid for is left without it', async ({ api, session }) => {
    const customer = await aCustomer(session);
    const { id } = await aPaymentMethod(session, customer.id);
    const backup = await aPaymentMethod(session, customer.id);
    const subscription = await aSubscription(session, {
      customerId: customer.id,
      defaultPaymentMethodId: id,
      backupPaymentMethodId: backup.id,
    });
    const { status, body } = await api('POST', `/payment-methods/${id}/detach`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { paymentMethod: { ...record, id, default: false } },
    });
    expect((await api('POST', `/payment-methods/${id}/detach`)).body).toEqual(body);
    const stored = (await api('GET', `/subscriptions/${subscription.id}`)).body.subscription;
    expect(stored).toMatchObject({
      defaultPaymentMethodId: null,
      backupPaymentMethodId: backup.id,
    });
    const billing = (await api('GET', `/customers/${customer.externalId}/billing`)).body;
    expect(billing.paymentMethods.map((method: { id: string }) => method.id)).toEqual([backup.id]);
  });
});

test.for([
  ['GET', ''],
  ['POST', '/set-default'],
  ['POST', '/detach'],
] as const)(
  '404 for %s /payment-methods/{id}%s of another tenant',
  async ([method, end], { api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aPaymentMethod(other.session, (await aCustomer(other.session)).id);
    for (const unknown of ['pm_none', id]) {
      const answer = await api(method, `/payment-methods/${unknown}${end}`);
      expect(answer).toMatchObject(notFound(unknown));
    }
  },
);

const endpoints = [
  ['GET', '/payment-methods', undefined],
  ['GET', '/payment-methods/x', undefined],
  ['POST', '/payment-methods', { paymentMethod: { customerId: 'x', type: 'card', token: 'x' } }],
  ['POST', '/payment-methods/x/set-default', undefined],
  ['POST', '/payment-methods/x/detach', undefined],
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
