import { describe, expect } from 'vitest';
import { createDeliverer } from '#cron/deliverer.ts';
import { aWebhook } from '../../../support/factories.ts';
import { aReceiver } from '../../../support/outside/receiver.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const unknown = 'webhook_000000000000000000000';

describe('the deliveries of a webhook over REST', () => {
  test('200 for the test event, the list, one of it and trying it again', async ({
    api,
    session,
    database,
  }) => {
    const receiver = await aReceiver((response, _received, count) => {
      response.writeHead(count === 1 ? 500 : 204).end(count === 1 ? 'not yet' : undefined);
    });
    const { webhook } = await aWebhook(session, { url: receiver.url });
    const path = `/webhooks/${webhook.id}/deliveries`;
    const sent = await api('POST', `${path}/test`);
    expect(sent).toMatchObject({
      status: 200,
      body: {
        webhookDelivery: {
          id: expect.stringMatching(/^webhook_delivery_\w{21}$/),
          webhookId: webhook.id,
          eventType: 'webhook.test',
          status: 'pending',
          attempts: [],
        },
      },
    });
    await using deliverer = createDeliverer(database.orm, {
      allowPrivate: true,
      onFailure: () => {},
    });
    await deliverer.sweep(new Date());
    await deliverer.settled();
    const { id } = sent.body.webhookDelivery;
    const list = await api('GET', path);
    expect(list).toMatchObject({ status: 200, body: { hasMore: false, total: 1 } });
    expect(list.body.data).toEqual([
      {
        ...sent.body.webhookDelivery,
        updatedAt: expect.any(Number),
        attemptCount: 1,
        nextAttemptAt: expect.any(Number),
        attempts: [
          {
            at: expect.any(Number),
            durationMilliseconds: expect.any(Number),
            responseStatus: 500,
            responseBody: 'not yet',
            error: 'The endpoint answered 500',
          },
        ],
      },
    ]);
    expect((await api('GET', `${path}/${id}`)).body.webhookDelivery).toEqual(list.body.data[0]);
    expect((await api('GET', `${path}?status=delivered`)).body.total).toBe(0);

    expect(await api('POST', `${path}/${id}/retry`)).toMatchObject({
      status: 200,
      body: { webhookDelivery: { id, status: 'pending', attemptCount: 0 } },
    });
    await deliverer.sweep(new Date(Date.now() + 1_000));
    await deliverer.settled();
    expect((await api('GET', `${path}?status=delivered`)).body.data).toMatchObject([
      { id, status: 'delivered', deliveredAt: expect.any(Number), nextAttemptAt: null },
    ]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      object: 'webhook',
      data: { id: webhook.id },
    });
  });

  test('200 for a replay, with the number of events', async ({ api, session }) => {
    const { webhook } = await aWebhook(session);
    await api('PUT', `/webhooks/${webhook.id}`, { webhook: { filterTypes: ['resource.created'] } });
    for (const slug of ['a', 'b']) {
      await api('POST', '/resources', { resource: { slug, name: slug } });
    }
    expect(
      await api('POST', `/webhooks/${webhook.id}/deliveries/replay`, { after: 0 }),
    ).toMatchObject({
      status: 200,
      body: { webhook: { id: webhook.id }, deliveries: 2 },
    });
  });

  test('200 for a new secret', async ({ api, session }) => {
    const { webhook, secret } = await aWebhook(session);
    const rotated = await api('POST', `/webhooks/${webhook.id}/rotate-secret`, {
      overlapSeconds: 60,
    });
    expect(rotated).toMatchObject({
      status: 200,
      body: { webhook: { id: webhook.id }, secret: expect.stringMatching(/^whsec_/) },
    });
    expect(rotated.body.secret).not.toBe(secret);
  });

  test.for([
    ['a replay from nowhere', 'deliveries/replay', {}],
    ['a replay from two places', 'deliveries/replay', { after: 1, since: 1 }],
    ['a replay from a negative sequence', 'deliveries/replay', { after: -1 }],
    ['an overlap of more than a week', 'rotate-secret', { overlapSeconds: 604_801 }],
  ] as const)('400 for %s', async ([_, path, body], { api, session }) => {
    const { webhook } = await aWebhook(session);
    const answer = await api('POST', `/webhooks/${webhook.id}/${path}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(answer.body.issues).toHaveLength(1);
  });

  test.for([
    ['a test event', 'deliveries/test', {}],
    ['a replay', 'deliveries/replay', { after: 0 }],
  ] as const)(
    '400 for %s of a webhook that is not active',
    async ([, path, body], { api, session }) => {
      const { webhook } = await aWebhook(session);
      await api('PUT', `/webhooks/${webhook.id}`, { webhook: { active: false } });
      const answer = await api('POST', `/webhooks/${webhook.id}/${path}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].message).toContain('is not active');
    },
  );

  test.for([
    ['GET', 'deliveries'],
    ['GET', 'deliveries/webhook_delivery_000000000000000000000'],
    ['POST', 'deliveries/webhook_delivery_000000000000000000000/retry'],
    ['POST', 'deliveries/test'],
    ['POST', 'deliveries/replay'],
    ['POST', 'rotate-secret'],
  ] as const)(
    '404 for %s %s of a webhook that is not there, or of another tenant',
    async ([method, path], { api, database }) => {
      const stranger = await aTenant(database.orm.em);
      const { webhook } = await aWebhook(stranger.session);
      const replay = path === 'deliveries/replay' ? { after: 0 } : {};
      const body = method === 'POST' ? replay : undefined;
      expect((await api(method, `/webhooks/${unknown}/${path}`, body)).status).toBe(404);
      expect((await api(method, `/webhooks/${webhook.id}/${path}`, body)).status).toBe(404);
    },
  );

  test('404 for a delivery of another webhook', async ({ api, session }) => {
    const [{ webhook: one }, { webhook: other }] = [
      await aWebhook(session),
      await aWebhook(session),
    ];
    const { body } = await api('POST', `/webhooks/${one.id}/deliveries/test`);
    const path = `/webhooks/${other.id}/deliveries/${body.webhookDelivery.id}`;
    expect((await api('GET', path)).status).toBe(404);
    expect((await api('POST', `${path}/retry`)).status).toBe(404);
  });

  test.for([
    ['GET', 'deliveries'],
    ['POST', 'deliveries/test'],
    ['POST', 'rotate-secret'],
  ] as const)(
    '401 without a key, 403 with a publishable one: %s %s',
    async ([method, path], { api, session }) => {
      const { webhook } = await aWebhook(session);
      const url = `/webhooks/${webhook.id}/${path}`;
      const body = method === 'POST' ? {} : undefined;
      expect((await api(method, url, body, { key: null })).status).toBe(401);
      const key = await aKey(session, 'publishable');
      expect((await api(method, url, body, { key })).status).toBe(403);
    },
  );
});
