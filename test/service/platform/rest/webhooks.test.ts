import { describe, expect } from 'vitest';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { aLiveSession, aPricingModel, aWebhook } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { apiOf, test } from '../../../support/test.ts';

const input = {
  name: 'Orders',
  url: 'https://example.com/hooks',
  filterTypes: ['customer.created'],
};

const record = {
  id: expect.stringMatching(/^webhook_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  filterTypes: ['customer.created'],
  organizationId: expect.stringMatching(/^org_/),
  url: 'https://example.com/hooks',
  name: 'Orders',
  active: true,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
};

describe('POST /webhooks', () => {
  test('200 with the documented record and its secret', async ({ api, session }) => {
    const { status, body } = await api('POST', '/webhooks', {
      webhook: { ...input, pricingModelId: session.pricingModelId },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { webhook: record, secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{32}$/) },
    });
  });

  test('the secret is its own for each webhook and is in no other answer', async ({ api }) => {
    const { body: first } = await api('POST', '/webhooks', { webhook: input });
    const { body: second } = await api('POST', '/webhooks', { webhook: input });
    expect(first.secret).not.toBe(second.secret);
    const path = `/webhooks/${first.webhook.id}`;
    for (const answer of [await api('GET', path), await api('PUT', path, { webhook: {} })]) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain('whsec_');
    }
  });

  test('200 for one that starts inactive, told of every documented kind', async ({ api }) => {
    const filterTypes = [
      'customer.created',
      'customer.updated',
      'purchase.completed',
      'payment.failed',
      'payment.succeeded',
      'subscription.created',
      'subscription.updated',
      'subscription.canceled',
      'sync.events_available',
    ];
    expect(
      await api('POST', '/webhooks', { webhook: { ...input, filterTypes, active: false } }),
    ).toMatchObject({
      status: 200,
      body: { webhook: { active: false, filterTypes } },
    });
  });

  test('200 without any kind of event, of which it receives none', async ({ api }) => {
    expect(
      await api('POST', '/webhooks', { webhook: { ...input, filterTypes: [] } }),
    ).toMatchObject({
      status: 200,
      body: { webhook: { filterTypes: [], active: true } },
    });
  });

  test.for([
    ['an unknown kind of event', { filterTypes: ['customer.destroyed'] }, 'filterTypes.0'],
    ['201 kinds of events', { filterTypes: Array(201).fill('customer.created') }, 'filterTypes'],
    ['an address that is none', { url: 'example' }, 'url'],
    ['an address with a user name', { url: 'https://ann@example.com' }, 'url'],
    ['an address with a password', { url: 'https://:pass@example.com' }, 'url'],
    ['another protocol', { url: 'ftp://example.com' }, 'url'],
    ['an empty name', { name: '' }, 'name'],
  ] as const)('400 for %s', async ([_, wrong, field], { api }) => {
    const { status, body } = await api('POST', '/webhooks', { webhook: { ...input, ...wrong } });
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ message: expect.stringContaining(`webhook.${field}: `) }]);
  });

  test('400 for a pricing model that is not the key’s', async ({ api, session, database }) => {
    const sibling = await aPricingModel(session);
    const other = await aTenant(database.orm.em);
    for (const { pricingModelId } of [sibling, other.session]) {
      const answer = await api('POST', '/webhooks', { webhook: { ...input, pricingModelId } });
      expect(answer).toMatchObject({
        status: 400,
        body: { issues: [{ message: expect.stringMatching(/^webhook\.pricingModelId: /) }] },
      });
    }
    expect(await session.em.fork().count(Webhook)).toBe(0);
  });

  test('in live mode the address is https', async ({ api, session }) => {
    const key = await aKey(await aLiveSession(session), 'secret');
    const plain = { ...input, url: 'http://example.com/hooks' };
    expect(await api('POST', '/webhooks', { webhook: plain })).toMatchObject({ status: 200 });
    expect(await api('POST', '/webhooks', { webhook: plain }, { key })).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'webhook.url: must be an https address in live mode' }] },
    });
    for (const url of [input.url, 'HTTPS://example.com']) {
      expect(await api('POST', '/webhooks', { webhook: { ...input, url } }, { key })).toMatchObject(
        {
          status: 200,
          body: { webhook: { livemode: true } },
        },
      );
    }
  });
});

describe('GET /webhooks/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { webhook } = await aWebhook(session);
    const { status, body } = await api('GET', `/webhooks/${webhook.id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { webhook: { ...record, id: webhook.id } },
    });
  });

  test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { webhook } = await aWebhook(other.session);
    for (const id of ['webhook_none', webhook.id]) {
      const { status, body } = await api('GET', `/webhooks/${id}`);
      const message = `Webhook ${id} not found`;
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message, issues: [] },
      });
    }
  });
});

describe('PUT /webhooks/{id}', () => {
  test('200 with the changes; what is absent stays', async ({ api, session }) => {
    const { webhook } = await aWebhook(session);
    const changes = {
      filterTypes: ['payment.failed', 'payment.succeeded'],
      url: 'http://localhost:1/x',
    };
    const { status, body } = await api('PUT', `/webhooks/${webhook.id}`, {
      webhook: { id: webhook.id, ...changes, active: false },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { webhook: { ...record, ...changes, active: false } },
    });
  });

  test('its pricing model never changes', async ({ api, session }) => {
    const { webhook } = await aWebhook(session);
    const { pricingModelId } = await aPricingModel(session);
    const answer = await api('PUT', `/webhooks/${webhook.id}`, { webhook: { pricingModelId } });
    expect(answer.status).toBe(400);
    const own = { pricingModelId: session.pricingModelId };
    const { body } = await api('PUT', `/webhooks/${webhook.id}`, { webhook: own });
    expect(body.webhook.pricingModelId).toBe(session.pricingModelId);
  });

  test('400 for http in live mode, an unknown kind and the id of another', async ({
    api,
    session,
  }) => {
    const live = await aLiveSession(session);
    const key = await aKey(live, 'secret');
    const { webhook } = await aWebhook(live);
    for (const changes of [{ url: 'http://x.example' }, { filterTypes: ['x'] }, { id: 'other' }]) {
      const answer = await api('PUT', `/webhooks/${webhook.id}`, { webhook: changes }, { key });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.issues).toHaveLength(1);
    }
  });

  test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { webhook } = await aWebhook(other.session);
    for (const id of ['webhook_none', webhook.id]) {
      const answer = await api('PUT', `/webhooks/${id}`, { webhook: { active: false } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});

const endpoints = [
  ['GET', '/webhooks/x', undefined],
  ['POST', '/webhooks', { webhook: input }],
  ['PUT', '/webhooks/x', { webhook: {} }],
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

describe('An address that is not public', () => {
  const strict = test.extend('api', ({ database, hub, tenant }) =>
    apiOf(
      createGateway({
        orm: database.orm,
        hub,
        logger: createLogger('silent'),
        production: false,
        operationTimeLimitSeconds: 30,
      }),
      tenant.key,
    ),
  );
  const hidden = [
    'http://127.0.0.1:4001',
    'http://localhost/x',
    'http://LOCALHOST./',
    'https://api.localhost',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]:80/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest',
    'http://168.63.129.16/machine',
    'http://10.1.2.3',
    'http://0.0.0.0',
    'http://100.64.0.1',
    'http://receiver:4001',
    'http://printer.local',
    'https://vault.internal',
  ];

  strict.for(hidden)('%s is refused when it is registered', async (url, { api, session }) => {
    const answer = await api('POST', '/webhooks', { webhook: { ...input, url } });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([
      {
        message: expect.stringMatching(
          /^webhook\.url: must be a public address, and .* WEBHOOK_ALLOW_PRIVATE/,
        ),
      },
    ]);
    const { webhook } = await aWebhook(session);
    const moved = await api('PUT', `/webhooks/${webhook.id}`, { webhook: { url } });
    expect(moved.status).toBe(400);
  });

  strict.for(['https://example.com', 'http://93.184.215.14:8080/x', 'https://[2606:2800::1]/'])(
    '%s is taken',
    async (url, { api }) => {
      expect((await api('POST', '/webhooks', { webhook: { ...input, url } })).status).toBe(200);
    },
  );

  strict('that is registered already can be repeated, to stop it', async ({ api, session }) => {
    const url = 'http://127.0.0.1:4001';
    const { webhook } = await aWebhook(session, { url });
    const { status } = await api('PUT', `/webhooks/${webhook.id}`, {
      webhook: { url, active: false },
    });
    expect(status).toBe(200);
  });
});

test('one address may be registered twice, each with a secret of its own', async ({ api }) => {
  const [one, other] = [
    await api('POST', '/webhooks', { webhook: input }),
    await api('POST', '/webhooks', { webhook: input }),
  ];
  expect(one.body.secret).not.toBe(other.body.secret);
});
