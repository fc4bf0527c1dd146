// @module-tag long
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, vi } from 'vitest';
import { createDeliverer } from '#cron/deliverer.ts';
import { updateResource } from '#domain/catalog/commands/resources/update-resource.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { pauses } from '#domain/platform/commands/webhook-deliveries/attempt-schedule.ts';
import {
  claimDeliveries,
  claimMilliseconds,
} from '#domain/platform/commands/webhook-deliveries/claim-deliveries.ts';
import {
  type AttemptOutcome,
  recordAttempt,
} from '#domain/platform/commands/webhook-deliveries/record-attempt.ts';
import { replayWebhook } from '#domain/platform/commands/webhook-deliveries/replay-webhook.ts';
import { retryWebhookDelivery } from '#domain/platform/commands/webhook-deliveries/retry-webhook-delivery.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { deleteWebhook } from '#domain/platform/commands/webhooks/delete-webhook.ts';
import { rotateWebhookSecret } from '#domain/platform/commands/webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from '#domain/platform/commands/webhooks/update-webhook.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { aCustomer, aLiveSession, aResource, aUsageMeter } from '../../support/factories.ts';
import { aReceiver } from '../../support/outside/receiver.ts';
import { lockWaits } from '../../support/servers/lock-waits.ts';
import { aTenant } from '../../support/tenant.ts';
import { testAlone } from '../../support/test.ts';

const secondMilliseconds = 1_000;
const dayMilliseconds = 86_400_000;

const fresh = ({ em, apiKeyId, ...scope }: Session, now = new Date()) =>
  openSession(em, { ...scope, now }, apiKeyId);

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'deliverer',
  ({ database }, { onCleanup }) => {
    const deliverer = createDeliverer(database.orm, {
      allowPrivate: true,
      onFailure: (error) => {
        throw error;
      },
    });
    onCleanup(() => deliverer[Symbol.asyncDispose]());
    return deliverer;
  },
);

const resourceEvents: EventType[] = ['resource.created', 'resource.updated'];

const aHook = async (session: Session, url: string, filterTypes: EventType[] = resourceEvents) =>
  createWebhook(
    fresh(session),
    { webhook: { name: 'Hook', url, filterTypes } },
    { allowPrivate: true },
  );

const rename = (session: Session, id: string, name: string) =>
  updateResource(fresh(session), { id, resource: { name } });

const deliveriesOf = async (session: Session) => {
  const { em } = fresh(session);
  await sequenceEvents(em);
  return em.find(WebhookDelivery, {}, { orderBy: { sequence: 'asc' } });
};

/** Everything that is due at an instant is tried, with what becomes due by that. */
async function deliverAll(
  { database, deliverer }: { database: { orm: { em: Session['em'] } }; deliverer: Deliverer },
  now = new Date(),
) {
  await sequenceEvents(database.orm.em.fork());
  while ((await deliverer.sweep(now)) > 0) await deliverer.settled();
  await deliverer.settled();
}
type Deliverer = ReturnType<typeof createDeliverer>;

describe('a delivery', () => {
  test('is what the `standardwebhooks` and `svix` packages accept, under both names of the headers', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    const { secret } = await aHook(session, receiver.url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    new SvixWebhook(secret).verify(body, headers);
    const svix = Object.entries(headers).filter(([name]) => name.startsWith('svix-'));
    expect(svix).toHaveLength(3);
    new SvixWebhook(secret).verify(body, Object.fromEntries(svix));
    expect(() => new SvixWebhook(secret).verify(`${body} `, Object.fromEntries(svix))).toThrow();
    expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow();
  });

  test('carries the event as the feed shows it, and the compact fields', async ({
    api,
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    await aHook(session, receiver.url);
    const { id } = await aResource(session, { name: 'Before' });
    await rename(session, id, 'After');
    await deliverAll({ database, deliverer });
    const { body: feed } = await api('GET', `/events?objectId=${id}`);
    const sent = receiver.received.map(({ body }) => JSON.parse(body));
    expect(sent).toEqual(
      feed.data.map((event: Record<string, unknown>) => ({
        id: event.id,
        type: event.type,
        sequence: event.sequence,
        timestamp: new Date(event.occurredAt as number).toISOString(),
        data: event.data,
        previousAttributes: event.previousAttributes,
        object: 'resource',
        objectId: id,
        customer: null,
        pricingModelId: session.pricingModelId,
        actor: { type: 'api_key', id: session.apiKeyId },
      })),
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      feed.data.map((event: { id: string }) => event.id),
    );
    expect(sent[1].previousAttributes).toEqual({ name: 'Before' });
  });

  test('names the customer whom it concerns by both ids', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    await aHook(session, receiver.url, ['customer.created', 'subscription.created']);
    const { id, externalId } = await aCustomer(session);
    await deliverAll({ database, deliverer });
    const sent = receiver.received.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ object, customer }) => [object, customer]).sort()).toEqual([
      ['customer', { id, externalId }],
      ['subscription', { id, externalId }],
    ]);
  });

  test('is written for each active endpoint of the same tenant whose types match, and for no other', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    const stranger = (await aTenant(database.orm.em)).session;
    const live = await aLiveSession(session);
    const first = await aHook(session, receiver.url);
    const second = await aHook(session, receiver.url, ['resource.created']);
    const inactive = await aHook(session, receiver.url);
    await updateWebhook(fresh(session), { id: inactive.webhook.id, webhook: { active: false } });
    await aHook(stranger, receiver.url);
    await aHook(live, receiver.url.replace('http', 'https'));
    const { id } = await aResource(session);
    await rename(session, id, 'Renamed');
    await aUsageMeter(session);
    const deliveries = await deliveriesOf(session);
    expect(deliveries.map(({ webhookId, eventType }) => [webhookId, eventType]).sort()).toEqual(
      [
        [first.webhook.id, 'resource.created'],
        [first.webhook.id, 'resource.updated'],
        [second.webhook.id, 'resource.created'],
      ].sort(),
    );
    expect(await deliveriesOf(stranger)).toEqual([]);
    expect(await deliveriesOf(live)).toEqual([]);
    await deliverAll({ database, deliverer });
    expect(receiver.received).toHaveLength(3);
    expect((await deliveriesOf(session)).map(({ status }) => status)).toEqual(
      deliveries.map(() => 'delivered'),
    );
  });

  test('is signed with both secrets during the overlap, and with the new one alone after it', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    const { webhook, secret } = await aHook(session, receiver.url);
    const rotated = await rotateWebhookSecret(fresh(session), {
      id: webhook.id,
      overlapSeconds: 3_600,
    });
    const accepts = (secret: string, { body, headers }: (typeof receiver.received)[number]) => {
      try {
        return Boolean(new StandardWebhook(secret).verify(body, headers));
      } catch {
        return false;
      }
    };
    await aResource(session);
    await deliverAll({ database, deliverer });
    await aResource(session);
    await deliverAll({ database, deliverer }, new Date(Date.now() + 3_601 * secondMilliseconds));
    const [during, after] = receiver.received;
    if (!during || !after) throw new Error('Two deliveries should have come');
    expect([accepts(secret, during), accepts(rotated.secret, during)]).toEqual([true, true]);
    expect([accepts(secret, after), accepts(rotated.secret, after)]).toEqual([false, true]);
  });
});

describe('an endpoint that does not take a delivery', () => {
  test('gets it again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each up to a tenth later, and then no more', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver((response) => void response.writeHead(500).end('broken'));
    await aHook(session, receiver.url);
    await aResource(session);
    let now = new Date();
    await deliverAll({ database, deliverer }, now);
    for (const [index, pause] of pauses.entries()) {
      const [delivery] = await deliveriesOf(session);
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: index + 1 });
      const next = delivery?.nextAttemptAt?.getTime() ?? 0;
      const planned = next - now.getTime();
      expect(planned).toBeGreaterThanOrEqual(pause);
      expect(planned).toBeLessThanOrEqual(pause * 1.1 + 10 * secondMilliseconds);
      await deliverAll({ database, deliverer }, new Date(next - 1));
      expect(receiver.received).toHaveLength(index + 1);
      now = new Date(next);
      await deliverAll({ database, deliverer }, now);
      expect(receiver.received).toHaveLength(index + 2);
    }
    const [delivery] = await deliveriesOf(session);
    expect(pauses.map((pause) => pause / secondMilliseconds)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 36_000,
    ]);
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, attemptCount: 8 });
    expect(delivery?.attempts).toHaveLength(8);
    expect(delivery?.attempts[0]).toMatchObject({
      responseStatus: 500,
      responseBody: 'broken',
      error: 'The endpoint answered 500',
    });
    await deliverAll({ database, deliverer }, new Date(now.getTime() + 2 * dayMilliseconds));
    expect(receiver.received).toHaveLength(8);
    // Every request had the same id, by which receivers know a repeat.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test.for([
    ['seconds', () => '600'],
    ['a date', (now: number) => new Date(now + 600 * secondMilliseconds).toUTCString()],
  ] as const)(
    'is not asked again before its Retry-After (%s)',
    async ([_, header], { session, database, deliverer }) => {
      const now = Date.now();
      const receiver = await aReceiver(
        (response) => void response.writeHead(429, { 'retry-after': header(now) }).end(),
      );
      await aHook(session, receiver.url);
      await aResource(session);
      await deliverAll({ database, deliverer });
      const [delivery] = await deliveriesOf(session);
      const pause = (delivery?.nextAttemptAt?.getTime() ?? 0) - now;
      expect(pause).toBeGreaterThan(598 * secondMilliseconds);
      expect(pause).toBeLessThan(700 * secondMilliseconds);
    },
  );

  test('is disabled at once when it states that it is gone, and an event tells of it', async ({
    api,
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver((response) => void response.writeHead(410).end());
    const { webhook } = await aHook(session, receiver.url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    expect((await deliveriesOf(session))[0]).toMatchObject({ status: 'failed', attemptCount: 1 });
    const { body } = await api('GET', '/events?types=webhook.disabled');
    expect(body.data).toMatchObject([
      {
        objectId: webhook.id,
        data: { active: false, disabledReason: 'The endpoint has answered 410 Gone' },
        previousAttributes: { active: true, disabledReason: null },
        causeId: 'deliver-webhooks',
        actor: { type: 'job', id: 'deliver-webhooks' },
      },
    ]);
    await aResource(session);
    expect(await deliveriesOf(session)).toHaveLength(1);
  });

  test('is disabled after five days of nothing but failure, and not before', async ({
    session,
    database,
    deliverer,
  }) => {
    let healthy = false;
    const receiver = await aReceiver(
      (response) => void response.writeHead(healthy ? 200 : 503).end(),
    );
    const { webhook } = await aHook(session, receiver.url);
    const began = Date.now();
    const failOn = async (day: number) => {
      await aResource(session);
      await deliverAll({ database, deliverer }, new Date(began + day * dayMilliseconds));
      return fresh(session).em.findOneOrFail(Webhook, webhook.id);
    };
    await failOn(0);
    expect((await failOn(4.9)).active).toBe(true);
    healthy = true;
    await failOn(4.95);
    healthy = false;
    // A success in between starts the count again.
    expect((await failOn(6)).active).toBe(true);
    expect(await failOn(11.1)).toMatchObject({
      active: false,
      disabledReason: 'Every attempt of the last five days has failed',
    });
    await updateWebhook(fresh(session), { id: webhook.id, webhook: { active: true } });
    expect(await fresh(session).em.findOneOrFail(Webhook, webhook.id)).toMatchObject({
      active: true,
      disabledReason: null,
      failingSince: null,
    });
  });

  test.for([
    [
      'a redirect',
      (r: Response) => r.writeHead(302, { location: 'http://127.0.0.1/x' }).end(),
      'redirects are not followed',
    ],
    ['a closed socket', (r: Response) => r.destroy(), 'socket hang up'],
    ['nothing that is HTTP', (r: Response) => r.socket?.end('garbage\r\n\r\n'), 'Parse Error'],
  ] as const)(
    'is tried again after %s',
    async ([_, answer, reason], { session, database, deliverer }) => {
      const receiver = await aReceiver((response) => void answer(response));
      await aHook(session, receiver.url);
      await aResource(session);
      await deliverAll({ database, deliverer });
      const [delivery] = await deliveriesOf(session);
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
      expect(delivery?.attempts[0]?.error).toContain(reason);
      expect(receiver.received).toHaveLength(1);
    },
  );
  type Response = Parameters<NonNullable<Parameters<typeof aReceiver>[0]>>[0];

  test('has 10 seconds, and delays no other endpoint and no other object meanwhile', async ({
    session,
    database,
    deliverer,
  }) => {
    const hanging = await aReceiver(() => {});
    const quick = await aReceiver();
    await aHook(session, hanging.url);
    await aHook(session, quick.url);
    for (let i = 0; i < 12; i++) await aResource(session);
    await sequenceEvents(database.orm.em.fork());
    await deliverer.sweep(new Date());
    // All of the quick one's come while the other one still hangs on its first eight.
    await quick.until(12);
    await hanging.until(8);
    expect(hanging.received).toHaveLength(8);
    const failed = await vi.waitFor(
      async () => {
        const tried = (await deliveriesOf(session)).filter(
          ({ attempts }) => attempts[0]?.responseStatus === null,
        );
        expect(tried.length).toBeGreaterThanOrEqual(8);
        return tried;
      },
      { timeout: 60_000, interval: 250 },
    );
    for (const { attempts } of failed) {
      expect(attempts[0]?.error).toBe('The endpoint did not answer within 10 seconds');
      expect(attempts[0]?.durationMilliseconds).toBeLessThan(15_000);
    }
    hanging.close();
  });

  test('that has failed is only probed, one request at a time', async ({
    session,
    database,
    deliverer,
  }) => {
    let open = 0;
    let most = 0;
    const receiver = await aReceiver((response, _received, count) => {
      open++;
      if (count > 1) most = Math.max(most, open);
      setImmediate(() => {
        open--;
        response.writeHead(500).end();
      });
    });
    await aHook(session, receiver.url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    for (let i = 0; i < 10; i++) await aResource(session);
    await deliverAll({ database, deliverer });
    expect(receiver.received).toHaveLength(11);
    expect(most).toBe(1);
  });

  test('4 KiB of its answer are kept', async ({ session, database, deliverer }) => {
    const receiver = await aReceiver(
      (response) => void response.writeHead(400).end(`\0${'ä'.repeat(100_000)}`),
    );
    await aHook(session, receiver.url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    const [delivery] = await deliveriesOf(session);
    expect(delivery?.attempts[0]?.responseBody).toMatch(/^ä{2047}$/);
  });
});

describe('the deliveries of one object to one endpoint', () => {
  test('keep their order while an earlier one fails, and other objects go ahead', async ({
    session,
    database,
    deliverer,
  }) => {
    let broken = true;
    const receiver = await aReceiver((response, { body }) => {
      const { data } = JSON.parse(body);
      response.writeHead(broken && data.slug === 'slow' ? 500 : 200).end();
    });
    await aHook(session, receiver.url);
    const { id } = await aResource(session, { slug: 'slow' });
    for (const name of ['one', 'two', 'three']) await rename(session, id, name);
    const other = await aResource(session);
    await rename(session, other.id, 'elsewhere');
    await deliverAll({ database, deliverer });
    const names = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body))
        .map(({ objectId, data }) => [objectId, data.name]);
    expect(names().filter(([object]) => object === id)).toEqual([[id, 'Seats']]);
    expect(names().filter(([object]) => object === other.id)).toEqual([
      [other.id, 'Seats'],
      [other.id, 'elsewhere'],
    ]);
    broken = false;
    await deliverAll({ database, deliverer }, new Date(Date.now() + 6 * secondMilliseconds));
    expect(names().filter(([object]) => object === id)).toEqual([
      [id, 'Seats'],
      [id, 'Seats'],
      [id, 'one'],
      [id, 'two'],
      [id, 'three'],
    ]);
  });

  test('continue after one that was given up', async ({ session, database, deliverer }) => {
    const receiver = await aReceiver((response, { body }) => {
      response.writeHead(JSON.parse(body).type === 'resource.created' ? 500 : 200).end();
    });
    await aHook(session, receiver.url);
    const { id } = await aResource(session);
    await rename(session, id, 'after');
    for (let day = 0; day < 8; day++) {
      await deliverAll({ database, deliverer }, new Date(Date.now() + day * 0.5 * dayMilliseconds));
    }
    expect((await deliveriesOf(session)).map(({ status }) => status)).toEqual([
      'failed',
      'delivered',
    ]);
  });

  test('keep it with several processes at work', async ({ session, database }) => {
    const order = new Map<string, number[]>();
    const receiver = await aReceiver((response, { body }) => {
      const { objectId, sequence } = JSON.parse(body);
      const seen = order.get(objectId) ?? [];
      order.set(objectId, seen);
      seen.push(sequence);
      setImmediate(() => response.end());
    });
    await aHook(session, receiver.url);
    const failures: unknown[] = [];
    const processes = [1, 2, 3].map(() =>
      createDeliverer(database.orm, { allowPrivate: true, onFailure: (e) => failures.push(e) }),
    );
    const ids = await Promise.all([1, 2, 3, 4, 5].map(async () => (await aResource(session)).id));
    for (let round = 0; round < 20; round++) {
      await Promise.all(ids.map((id) => rename(session, id, `round ${round}`)));
      await sequenceEvents(database.orm.em.fork());
      for (const { wake } of processes) wake();
    }
    while ((await deliveriesOf(session)).some(({ status }) => status === 'pending')) {
      for (const { wake } of processes) wake();
      await Promise.all(processes.map(({ settled }) => settled()));
    }
    expect(failures).toEqual([]);
    expect(receiver.received).toHaveLength(5 * 21);
    for (const seen of order.values()) expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
});

const success: AttemptOutcome = {
  at: 0,
  durationMilliseconds: 1,
  responseStatus: 200,
  responseBody: '',
  error: null,
};

describe('what waits behind two deliveries of its object', () => {
  test('is not forgotten when both are done at the same moment', async ({ session, database }) => {
    await aHook(session, 'http://127.0.0.1:1/');
    const { id } = await aResource(session);
    for (const name of ['second', 'third']) await rename(session, id, name);
    const [first, second, third] = await deliveriesOf(session);
    if (!first || !second || !third) throw new Error('There should be three deliveries');
    const claimOf = async (id: string) => {
      const { claimed } = await claimDeliveries(database.orm.em.fork(), new Date());
      const mine = claimed.find((delivery) => delivery.id === id);
      if (!mine) throw new Error(`${id} should have been claimed`);
      return mine;
    };
    await recordAttempt(fresh(session), await claimOf(first.id), success);
    const laterOne = await claimOf(second.id);
    // A request asks for the first one again while the second one is on its way.
    await retryWebhookDelivery(fresh(session), { id: first.id });
    const earlierOne = await claimOf(first.id);

    // Neither transaction sees that the other one is done, too; the later one is done, or waits.
    const early = fresh(session);
    let late: Promise<unknown> | undefined;
    await early.em.transactional(async (em) => {
      await recordAttempt({ ...early, em }, earlierOne, success);
      let done = false;
      late = recordAttempt(fresh(session), laterOne, success).then(() => {
        done = true;
      });
      const doneOrWaits = async () => {
        const waiting = await session.em.execute(lockWaits);
        expect(done || waiting.length > 0).toBe(true);
      };
      await vi.waitFor(doneOrWaits, { timeout: 60_000 });
    });
    await late;
    expect((await deliveriesOf(session)).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'pending',
    ]);
    expect((await claimOf(third.id)).event.id).toBe(third.eventId);
  });
});

describe('an endpoint that is deleted', () => {
  test('gets no delivery of an event that is sequenced meanwhile, and the others get theirs', async ({
    session,
  }) => {
    const [gone, stays] = [
      await aHook(session, 'https://example.com/a'),
      await aHook(session, 'https://example.com/b'),
    ];
    const { em } = fresh(session);
    await em.begin();
    await em.execute('delete from webhook where id = ?', [gone.webhook.id]);
    await aResource(session);
    const sequenced = sequenceEvents(fresh(session).em);
    const waits = async () => {
      const waiting = await fresh(session).em.execute(
        `select pid from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      // The feed of the process may wait, too.
      expect(waiting).not.toHaveLength(0);
    };
    await vi.waitFor(waits, { timeout: 60_000 });
    await em.commit();
    await sequenced;
    const deliveries = await fresh(session).em.find(WebhookDelivery, {});
    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([stays.webhook.id]);
  });

  test('while it is called is not called again, and the answer is not recorded', async ({
    session,
    database,
    deliverer,
  }) => {
    const release = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const receiver = await aReceiver((response) => {
      called.resolve();
      void release.promise.then(() => response.writeHead(500).end());
    });
    const { webhook } = await aHook(session, receiver.url);
    await aResource(session);
    await sequenceEvents(database.orm.em.fork());
    const swept = deliverer.sweep(new Date());
    await called.promise;
    await deleteWebhook(fresh(session), { id: webhook.id });
    release.resolve();
    await swept;
    await deliverer.settled();
    expect(await fresh(session).em.count(WebhookDelivery)).toBe(0);
    await deliverAll({ database, deliverer }, new Date(Date.now() + dayMilliseconds));
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a claim', () => {
  test('is one process’s alone, and is taken over when it has run out', async ({
    session,
    database,
  }) => {
    await aHook(session, 'http://127.0.0.1:1/');
    await aResource(session);
    const { em } = fresh(session);
    await sequenceEvents(em);
    const now = new Date();
    const mine = (claims: Awaited<ReturnType<typeof claimDeliveries>>) =>
      claims.claimed.filter(({ pricingModelId }) => pricingModelId === session.pricingModelId);
    const claims = await Promise.all(
      [1, 2, 3, 4].map(() => claimDeliveries(database.orm.em.fork(), now)),
    );
    const [first, ...others] = claims.flatMap(mine);
    expect(others).toEqual([]);
    const later = new Date(now.getTime() + claimMilliseconds);
    const [second] = mine(await claimDeliveries(database.orm.em.fork(), later));
    expect(second?.id).toBe(first?.id);
    if (!first || !second) return;

    // The late answer of the first one changes nothing.
    await recordAttempt(fresh(session), first, { ...success, responseStatus: 500, error: 'late' });
    expect((await deliveriesOf(session))[0]).toMatchObject({ attemptCount: 0, status: 'pending' });
    await recordAttempt(fresh(session), second, success);
    expect((await deliveriesOf(session))[0]).toMatchObject({
      attemptCount: 1,
      status: 'delivered',
    });
  });
});

describe('a sweep that takes long', () => {
  test('claims from the moment at which it claims, not from the one at which it was due', async ({
    session,
    database,
    deliverer,
  }) => {
    const answers: (() => void)[] = [];
    const receiver = await aReceiver((response) => void answers.push(() => response.end()));
    await aHook(session, receiver.url);
    await aResource(session);
    await sequenceEvents(database.orm.em.fork());
    const late = new Date(Date.now() - claimMilliseconds);
    await deliverer.sweep(late);
    await receiver.until(1);
    // On its way, so not to be taken by anybody else.
    await deliverer.sweep(new Date());
    const [delivery] = await deliveriesOf(session);
    expect(delivery?.claimedUntil?.getTime()).toBeGreaterThan(Date.now() + claimMilliseconds / 2);
    expect(receiver.received).toHaveLength(1);
    for (const answer of answers) answer();
    await deliverer.settled();
  });
});

describe('what is not on the public internet', () => {
  test.for([
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://[::1]:9/',
    'http://10.0.0.1:9/',
    'http://192.168.1.1:9/',
    'http://172.16.0.1:9/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1:9/',
    'http://[fd00::1]:9/',
    'http://[fe80::1]:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://[64:ff9b::7f00:1]:9/',
    'http://0.0.0.0:9/',
    'http://2130706433:9/',
    'http://0x7f.1:9/',
    'http://[::127.0.0.1]:9/',
    'http://[1::1]:9/',
    'http://[4000::1]:9/',
  ])('is not connected to: %s', async (url, { session, database }) => {
    await using deliverer = createDeliverer(database.orm, {
      allowPrivate: false,
      onFailure: () => {},
    });
    await aHook(session, url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    const [delivery] = await deliveriesOf(session);
    expect(delivery?.attempts[0]?.error).toContain('is not a public address');
  });

  test('is not connected to even when the check itself would let it pass once: nothing arrives', async ({
    session,
    database,
  }) => {
    const receiver = await aReceiver();
    await using deliverer = createDeliverer(database.orm, {
      allowPrivate: false,
      onFailure: () => {},
    });
    await aHook(session, receiver.url.replace('127.0.0.1', 'localhost'));
    await aResource(session);
    await deliverAll({ database, deliverer });
    expect(receiver.received).toEqual([]);
  });
});

describe('asking again', () => {
  test('retry makes a delivery due now, whatever has become of it', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    await aHook(session, receiver.url);
    await aResource(session);
    await deliverAll({ database, deliverer });
    const [{ id } = { id: '' }] = await deliveriesOf(session);
    await retryWebhookDelivery(fresh(session), { id });
    await deliverAll({ database, deliverer });
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
    expect((await deliveriesOf(session))[0]).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
    });
    expect((await deliveriesOf(session))[0]?.attempts).toHaveLength(2);
  });

  test('replay tells of everything after a sequence, also of what was never told, in order', async ({
    session,
    database,
    deliverer,
  }) => {
    const receiver = await aReceiver();
    const { id } = await aResource(session);
    await rename(session, id, 'before there was a webhook');
    const { webhook } = await aHook(session, receiver.url);
    await rename(session, id, 'told once');
    await deliverAll({ database, deliverer });
    const [{ sequence } = { sequence: 0 }] = await deliveriesOf(session);
    expect(await replayWebhook(fresh(session), { id: webhook.id, after: 0 })).toMatchObject({
      deliveries: 3,
    });
    await deliverAll({ database, deliverer });
    const names = receiver.received.map(({ body }) => JSON.parse(body).data.name);
    expect(names).toEqual(['told once', 'Seats', 'before there was a webhook', 'told once']);
    expect(await replayWebhook(fresh(session), { id: webhook.id, after: sequence })).toMatchObject({
      deliveries: 0,
    });
    expect(
      await replayWebhook(fresh(session), { id: webhook.id, since: new Date(Date.now() + 1_000) }),
    ).toMatchObject({ deliveries: 0 });
    expect(
      await replayWebhook(fresh(session), { id: webhook.id, since: new Date(0) }),
    ).toMatchObject({ deliveries: 3 });
  });
});
