import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { rotateWebhookSecret } from '#domain/platform/commands/webhooks/rotate-webhook-secret.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { connect } from '../../../dashboard/client/src/connect.ts';
import { followFeed } from '../../../dashboard/client/src/follow-feed.ts';
import { type LiveResult, liveQuery } from '../../../dashboard/client/src/live-query.ts';
import {
  BalancesDocument,
  type BalancesQuery,
  HasFeatureDocument,
  RecordUsageDocument,
} from '../../../dashboard/client/src/operations.generated.ts';
import { verifyWebhook } from '../../../dashboard/client/src/webhooks.ts';
import {
  aCustomer,
  aResource,
  aSubscription,
  aUsageMeter,
  fresh,
} from '../../support/factories.ts';
import { aReceiver, type Received } from '../../support/outside/receiver.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { aHook, test as base } from './deliveries.ts';

const test = base
  .extend('network', async ({ url }, { onCleanup }) => {
    const proxy = await startProxy(url);
    onCleanup(() => proxy[Symbol.asyncDispose]());
    return proxy;
  })
  .extend('connection', async ({ network, tenant }, { onCleanup }) => {
    const connection = connect({ url: network.databaseUrl, token: tenant.key });
    onCleanup(() => connection.close());
    return connection;
  });

/** A customer who uses a meter, and the names by which an application knows both. */
async function aUser(session: Session) {
  const meter = await aUsageMeter(session);
  const customer = await aCustomer(session);
  const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
  const { externalId } = customer;
  const used = (transactionId: string, amount: number) => ({
    usageEvents: [{ subscriptionId: id, usageMeterSlug: meter.slug, transactionId, amount }],
  });
  return { externalId, slug: meter.slug, used };
}

/** Deletes all events, as the job does after the time for which they are retained. */
async function forgetEvents(session: Session) {
  const { em, organizationId } = fresh(session);
  await sequenceEvents(em);
  const own = 'where organization_id = ?';
  await em.execute(`update event_head set purged = sequence ${own}`, [organizationId]);
  await em.execute(`delete from event ${own}`, [organizationId]);
}

describe('the feed', () => {
  test('has each event once and in order, however often the connection is cut', async ({
    connection,
    network,
    session,
    onTestFinished,
  }) => {
    const seen: number[] = [];
    const states: string[] = [];
    onTestFinished(
      followFeed(connection, {
        recent: 0,
        types: ['resource.created'],
        onEvents: (events) => seen.push(...events.map(({ sequence }) => sequence)),
        onState: (state) => states.push(state),
      }),
    );
    await expect.poll(() => states).toContain('live');
    const created: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (let count = 0; count < 10; count++) created.push((await aResource(session)).id);
      network.cut();
      for (let count = 0; count < 10; count++) created.push((await aResource(session)).id);
      await expect.poll(() => seen.length).toBe(created.length);
    }
    expect(states.filter((state) => state === 'lost').length).toBeGreaterThanOrEqual(5);
    const { em } = fresh(session);
    const stored = await em.execute<{ sequence: string }[]>(
      `select sequence from event where type = 'resource.created' and pricing_model_id = ? order by sequence`,
      [session.pricingModelId],
    );
    expect(seen).toEqual(stored.map(({ sequence }) => Number(sequence)));
  });

  test('starts for a tenant whose events are no longer retained', async ({
    connection,
    session,
    onTestFinished,
  }) => {
    await aResource(session);
    await forgetEvents(session);
    const seen: string[] = [];
    let starts = 0;
    onTestFinished(
      followFeed(connection, {
        onEvents: (events) => seen.push(...events.map(({ objectId }) => objectId)),
        onStart: () => starts++,
      }),
    );
    await expect.poll(() => starts).toBe(1);
    const { id } = await aResource(session);
    await expect.poll(() => seen).toEqual([id]);
  });

  test('starts anew when the place at which it was interrupted is no longer retained', async ({
    connection,
    network,
    url,
    session,
    onTestFinished,
  }) => {
    let starts = 0;
    const seen: string[] = [];
    const states: string[] = [];
    onTestFinished(
      followFeed(connection, {
        recent: 0,
        types: ['resource.created'],
        onEvents: (events) => seen.push(...events.map(({ objectId }) => objectId)),
        onStart: () => starts++,
        onState: (state) => states.push(state),
      }),
    );
    await expect.poll(() => states).toContain('live');
    const first = await aResource(session);
    await expect.poll(() => seen).toEqual([first.id]);
    network.leadTo('http://127.0.0.1:1/');
    network.cut();
    await expect.poll(() => states.at(-1)).toBe('lost');
    await aResource(session);
    await forgetEvents(session);
    network.leadTo(url);
    await expect.poll(() => starts).toBe(2);
    const { id } = await aResource(session);
    await expect.poll(() => seen).toEqual([first.id, id]);
  });
});

describe('a live query', () => {
  test('shows every change in the end, also those of the time without a connection', async ({
    connection,
    network,
    url,
    tenant,
    session,
    onTestFinished,
  }) => {
    const other = connect({ url, token: tenant.key });
    const { externalId, used } = await aUser(session);
    const results: LiveResult<BalancesQuery>[] = [];
    onTestFinished(
      liveQuery(
        connection,
        BalancesDocument,
        { externalId },
        { kinds: ['usage_event'] },
        (result) => results.push(result),
      ),
    );
    const balance = () => results.at(-1)?.data?.customer?.usageMeterBalances[0]?.used;
    await expect.poll(() => results.at(-1)?.data).toBeDefined();
    await connection.execute(RecordUsageDocument, used('one', 3));
    await expect.poll(balance).toBe(3);
    network.leadTo('http://127.0.0.1:1/');
    network.cut();
    await expect.poll(() => results.at(-1)?.state).toBe('lost');
    await other.execute(RecordUsageDocument, used('two', 4));
    expect(balance()).toBe(3);
    network.leadTo(url);
    await expect.poll(balance).toBe(7);
    await expect.poll(() => results.at(-1)?.state).toBe('live');
    expect(results.at(-1)?.error).toBeUndefined();
  });

  test('states why it cannot read', async ({ url, onTestFinished }) => {
    const connection = connect({ url, token: 'sk_test_unknown' });
    onTestFinished(() => connection.close());
    const results: LiveResult<BalancesQuery>[] = [];
    onTestFinished(
      liveQuery(connection, BalancesDocument, { externalId: 'ada' }, {}, (result) =>
        results.push(result),
      ),
    );
    await expect.poll(() => results.at(-1)?.error?.code).toBe('UNAUTHORIZED');
    expect(results.at(-1)?.data).toBeUndefined();
  });
});

describe('an operation', () => {
  test('records usage once, however often it is sent', async ({ connection, session }) => {
    const { externalId, used } = await aUser(session);
    const [first, second] = [
      await connection.execute(RecordUsageDocument, used('same', 5), { idempotencyKey: 'a' }),
      await connection.execute(RecordUsageDocument, used('same', 5), { idempotencyKey: 'b' }),
    ];
    expect(first.data.recordUsageEvents).toMatchObject({ duplicates: 0 });
    expect(second.data.recordUsageEvents).toMatchObject({ duplicates: 1 });
    const { data } = await connection.execute(BalancesDocument, { externalId });
    expect(data.customer?.usageMeterBalances.map(({ used }) => used)).toEqual([5]);
  });

  test('asks a function for the token of each request', async ({ url, tenant, session }) => {
    const { externalId } = await aUser(session);
    let asked = 0;
    const token = async () => {
      asked++;
      return tenant.key;
    };
    const connection = connect({ url, token });
    for (const _ of [1, 2]) {
      const { data } = await connection.execute(HasFeatureDocument, { externalId, slug: 'sso' });
      expect(data.customer?.hasFeature).toBe(false);
    }
    expect(asked).toBe(2);
  });
});

describe('the verification of a webhook', () => {
  const problemOf = async (asked: Parameters<typeof verifyWebhook>[0]) =>
    verifyWebhook(asked).then(
      () => 'accepted',
      (error: { problem?: string }) => error.problem,
    );

  test('accepts what the service sends, and nothing that differs', async ({ session, deliver }) => {
    const receiver = await aReceiver();
    const { secret } = await aHook(session, receiver.url);
    const { id } = await aResource(session);
    await deliver();
    const [{ body, headers }] = receiver.received as [Received];
    const event = await verifyWebhook<{ id: string }>({ body, headers, secrets: secret });
    expect(event).toMatchObject({ type: 'resource.created', objectId: id, data: { id } });
    expect(event).toEqual(JSON.parse(body));
    const bytes = new TextEncoder().encode(body);
    expect(
      await verifyWebhook({ body: bytes, headers: new Headers(headers), secrets: [secret] }),
    ).toEqual(event);

    const sent = { body, headers, secrets: secret };
    const seconds = Number(headers['webhook-timestamp']);
    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const cases: [string, Partial<typeof sent> & { now?: number }][] = [
      ['signature', { body: `${body} ` }],
      ['signature', { secrets: other }],
      ['signature', { headers: { ...headers, 'webhook-id': 'evt_other' } }],
      ['signature', { headers: { ...headers, 'webhook-signature': 'v1,AAAA v2,BBBB v1,%' } }],
      ['signature', { headers: { ...headers, 'webhook-timestamp': `${seconds + 1}` } }],
      ['headers', { headers: { ...headers, 'webhook-id': '' } }],
      ['timestamp', { headers: { ...headers, 'webhook-timestamp': '1e9' } }],
      ['timestamp', { now: (seconds + 301) * 1_000 }],
      ['timestamp', { now: (seconds - 301) * 1_000 }],
      ['secret', { secrets: 'whsec_' }],
      ['accepted', { now: (seconds + 300) * 1_000 }],
    ];
    for (const [problem, change] of cases) {
      expect(await problemOf({ ...sent, ...change }), JSON.stringify(change)).toBe(problem);
    }
  });

  test('accepts both secrets while one replaces the other', async ({ session, deliver }) => {
    const receiver = await aReceiver();
    const { webhook, secret: old } = await aHook(session, receiver.url);
    const { secret } = await rotateWebhookSecret(fresh(session), { id: webhook.id });
    await aResource(session);
    await deliver();
    const [{ body, headers }] = receiver.received as [Received];
    const sent = { body, headers };
    expect(await problemOf({ ...sent, secrets: old })).toBe('accepted');
    expect(await problemOf({ ...sent, secrets: secret })).toBe('accepted');
    expect(await problemOf({ ...sent, secrets: ['whsec_AAAA', old, secret] })).toBe('accepted');
  });
});
