import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { readConfig } from '#config';
import type { Session } from '#domain/kernel/session.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { partitionOf } from '#domain/recording/inbox/usage-stream.ts';
import { decode } from '#server/usage-stream/message.ts';
import { openUsageStream } from '#server/usage-stream/open-usage-stream.ts';
import { checkUsageStream } from '../../../src/tools/doctor/check-usage-stream.ts';
import { aSubscription, aUsageMeter, aUsagePrice } from '../../support/factories.ts';
import { linesTo } from '../../support/log.ts';
import { aFreeze } from '../../support/servers/freeze.ts';
import { type Nats, natsServer, startNats } from '../../support/servers/nats.ts';
import { aTenant } from '../../support/tenant.ts';
import { type Answer, apiOf, systemTest as test } from '../../support/test.ts';
import { availableOf } from '../../support/usage.ts';

type Api = ReturnType<typeof apiOf>;

const asynchronous = { headers: { prefer: 'respond-async' } };

const without = natsServer ? '' : ' (skipped: there is no NATS server here)';

describe.skipIf(!natsServer)(`usage that a stream accepts${without}`, () => {
  let nats: Nats;
  let cells = 0;
  beforeAll(async () => {
    nats = await startNats({ size: 1 });
  });
  afterAll(() => nats[Symbol.asyncDispose]());

  /** A stream of a cell of its own that this process uses until the end of the test, and its log. */
  async function aStream(session: Session, opened: AsyncDisposableStack, settings = {}) {
    cells += 1;
    const cell = { TOLLGATE_CELL: `cell-${cells}`, NATS_REPLICAS: '1' };
    const config = readConfig({ ...nats.settings, ...cell, ...settings }).nats;
    if (!config) throw new Error('There are no settings');
    const log: Record<string, unknown>[] = [];
    const stream = opened.use(await openUsageStream(config, linesTo(log)));
    const name = `usage-${config.cell}-${partitionOf(session)}`;
    return { stream, log, name, move: () => opened.use(stream.move(session.em)) };
  }

  /** JetStream as an operator uses it. */
  async function asOperator(opened: AsyncDisposableStack) {
    const { port } = new URL((nats.settings.NATS_URLS as string).split(',')[0] as string);
    const user = { user: 'tollgate', pass: 'change-me' };
    const connection = await connect({ servers: `127.0.0.1:${port}`, ...user });
    opened.defer(() => connection.close());
    const client = jetstream(connection);
    return { client, manager: await client.jetstreamManager() };
  }

  test('is 202, in no table before it is moved, and in each read after it', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { stream, move } = await aStream(session, opened);
    const { event, subscriptionId, meter } = await aUser(session);
    const usageEvents = [event('t1', 2), event('t2', 3)];
    const { status, body } = await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    expect(status).toBe(202);
    const rows = await session.em.fork().execute('select from usage_event_inbox');
    expect(rows).toHaveLength(0);
    expect(await stream.pending(session.em.fork())).toContainEqual({
      partition: expect.any(String),
      messages: 1,
      ageSeconds: expect.any(Number),
      missing: 0,
    });
    move();
    expect((await api('GET', `/usage-acceptances/${body.position}`)).body.pending).toBe(2);
    expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-5);
    expect((await api('GET', `/usage-acceptances/${body.position}`)).body.pending).toBe(0);
    const [stored] = (await api('GET', '/usage-events')).body.data;
    expect(stored.usageDate).toBe(body.acceptedAt);
  });

  test('503 with Retry-After for a read while nobody moves it; other pricing models are read', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    await aStream(session, opened);
    const { event } = await aUser(session);
    expect((await api('GET', '/usage-events')).status).toBe(200);
    await accept(api, event('t1'));
    const answer = await api('GET', '/usage-events');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  test('503 for such a pricing model at a process without the stream', async ({ api, session }) => {
    await using opened = new AsyncDisposableStack();
    const { stream } = await aStream(session, opened);
    const { event } = await aUser(session);
    await accept(api, event('t1'));
    await stream[Symbol.asyncDispose]();
    const answer = await api('GET', '/usage-events');
    expect(answer).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('NATS_URLS') },
    });
  });

  test('a message that comes twice, and a call that is repeated, count once', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { name, move } = await aStream(session, opened);
    const { client, manager } = await asOperator(opened);
    const { event, subscriptionId, meter } = await aUser(session);
    const send = () => api('POST', '/usage-events', { usageEvent: event('t1', 4) }, asynchronous);
    await send();
    await send();
    const stored = await manager.streams.getMessage(name, { seq: 1 });
    await client.publish(stored?.subject ?? '', stored?.data);
    move();
    expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-4);
    expect(await counted(session)).toBe(1);
    expect((await api('GET', '/usage-refusals')).body.data).toEqual([]);
  });

  test('with an Idempotency-Key, or larger than a message, it is in the database at once', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { stream } = await aStream(session, opened);
    const { event } = await aUser(session);
    const options = { headers: { ...asynchronous.headers, 'idempotency-key': 'k1' } };
    const keyed = () => api('POST', '/usage-events', { usageEvent: event('t1') }, options);
    const answers: Answer[] = [await keyed(), await keyed()];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const noise = () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(5_000))).toString('base64');
    const usageEvents = Array.from({ length: 900 }, (_, place) => ({
      ...event(`large-${place}`),
      properties: { noise: noise() },
    }));
    expect((await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous)).status).toBe(
      202,
    );
    const [row] = await session.em
      .fork()
      .execute(
        'select sum(count)::int as events from usage_event_inbox where pricing_model_id = ?',
        [session.pricingModelId],
      );
    expect(row).toEqual({ events: 901 });
    expect((await stream.pending(session.em.fork())).every(({ messages }) => messages === 0)).toBe(
      true,
    );
  });

  test('a message that JetStream has lost is reported, and delays no other', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { stream, log, name, move } = await aStream(session, opened);
    const { manager } = await asOperator(opened);
    const { event } = await aUser(session);
    for (const id of ['t1', 't2', 't3']) {
      await accept(api, event(id));
    }
    await manager.streams.deleteMessage(name, 2, false);
    move();
    await expect.poll(() => log.filter(({ level }) => level === 50)).toHaveLength(1);
    expect((await api('GET', '/usage-events')).body.total).toBe(2);
    const pending = await stream.pending(session.em.fork());
    expect(pending.find(({ partition }) => partition === name)?.missing).toBe(1);
  });

  test('a stream that is created anew is used from its first message on', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { log, name, move } = await aStream(session, opened);
    const { manager } = await asOperator(opened);
    const { event } = await aUser(session);
    move();
    for (const id of ['t1', 't2']) {
      await accept(api, event(id));
    }
    expect((await api('GET', '/usage-events')).body.total).toBe(2);
    await manager.streams.delete(name);
    await expect.poll(() => log.filter(({ level }) => level === 50)).toHaveLength(1);
    await accept(api, event('t3'));
    expect((await api('GET', '/usage-events')).body.total).toBe(3);
  });

  test('is accepted and counted by a process that has started without NATS, once NATS is there', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const [server] = nats.servers;
    await server?.kill();
    opened.defer(() => nats.whole());
    const { stream, log, move } = await aStream(session, opened);
    move();
    expect(stream.isReady()).toBe(false);
    expect(JSON.stringify(log)).toContain('NATS cannot be reached');
    server?.start();
    await expect.poll(stream.isReady).toBe(true);
    const { event } = await aUser(session);
    await accept(api, event('t1'));
    expect((await api('GET', '/usage-events')).body.total).toBe(1);
  });

  test('is refused while a server that was away at the start could lose it, and is read', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const change = (text: string) => text.replace('sync_interval: always', '');
    const lazy = opened.use(await startNats({ size: 1, change }));
    await lazy.servers[0]?.kill();
    const urls = [nats, lazy].map(({ settings }) => settings.NATS_MONITORING_URLS);
    const { stream, log, move } = await aStream(session, opened, {
      NATS_MONITORING_URLS: urls.join(),
    });
    move();
    const { event } = await aUser(session);
    await accept(api, event('t1'));
    lazy.servers[0]?.start();
    await expect.poll(stream.isReady).toBe(false);
    const refused = await api('POST', '/usage-events', { usageEvent: event('t2') }, asynchronous);
    expect(refused).toMatchObject({
      status: 503,
      body: { message: 'The stream of accepted usage could lose it' },
    });
    expect((await api('GET', '/usage-events')).body.total).toBe(1);
    expect(JSON.stringify(log)).toContain('Set sync_interval: always in its block jetstream');
    await lazy.servers[0]?.kill();
    await expect.poll(stream.isReady).toBe(true);
    await accept(api, event('t3'));
  });

  test('for an organization that has moved reaches the stream of its cell, and delays no other', async ({
    api,
    session,
    gateway,
    database,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { name, move } = await aStream(session, opened);
    const { client, manager } = await asOperator(opened);
    const partition = partitionOf(session);
    const other = { name: `usage-other-${partition}`, subjects: [`usage.other.${partition}`] };
    await manager.streams.add({ ...other, num_replicas: 1, storage: 'file' });
    const neighbour = await inPartition(database.orm.em, partition);
    const apiOfNeighbour = apiOf(gateway, neighbour.key);
    const own = await aUser(session);
    const ofNeighbour = await aUser(neighbour.session);
    const { organizationId } = session;
    const state = (text: string) =>
      session.em.fork().execute(
        `insert into organization_move (organization_id, state, cell) values (?, ?, 'other')
         on conflict (organization_id) do update set state = excluded.state`,
        [organizationId, text],
      );
    const kept = () =>
      session.em
        .fork()
        .execute('select from usage_forward where organization_id = ?', [organizationId]);

    await accept(api, own.event('t1', 4));
    await accept(apiOfNeighbour, ofNeighbour.event('t1'));
    await state('moved');
    move();
    expect((await apiOfNeighbour('GET', '/usage-events')).body.total).toBe(1);
    await expect.poll(kept).toEqual([]);
    expect(await counted(session)).toBe(0);
    const forwarded = await manager.streams.getMessage(other.name, { seq: 1 });
    const [call] = await decode(forwarded?.data ?? new Uint8Array());
    expect(call).toMatchObject({ organizationId, events: [{ transactionId: 't1', amount: '4' }] });

    // The other way round: a message of the other cell comes before the organization does.
    await state('arriving');
    await client.publish(
      `usage.${name.slice('usage-'.length).replace(/-(\d)$/, '.$1')}`,
      forwarded?.data,
    );
    await expect.poll(async () => (await kept()).length).toBe(1);
    await state('arrived');
    await expect.poll(kept).toEqual([]);
    expect(await availableOf(session, { id: own.subscriptionId, slug: own.meter.slug })).toBe(-4);
  });

  test('for an organization that is frozen waits until it is served again', async ({
    api,
    session,
    database,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { log, move } = await aStream(session, opened);
    const { event } = await aUser(session);
    await accept(api, event('t1'));
    const mover = await aFreeze(database.databaseUrl, session, opened);
    move();
    await mover.query('select pg_sleep(1)');
    expect(await counted(session)).toBe(0);
    await mover.end();
    expect((await api('GET', '/usage-events')).body.total).toBe(1);
    expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('the doctor states its servers, their disks and the messages that wait', async ({
    api,
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const { stream } = await aStream(session, opened);
    const { event } = await aUser(session);
    await accept(api, event('t1'));
    await stream[Symbol.asyncDispose]();
    const settings = { ...nats.settings, TOLLGATE_CELL: `cell-${cells}`, NATS_REPLICAS: '1' };
    const check = async (others: object) => {
      const { nats } = readConfig({ ...settings, ...others });
      const findings = await checkUsageStream(nats, session.em.fork());
      return findings.map(({ level, found }) => `${level} ${found}`);
    };
    expect(await check({})).toEqual([
      expect.stringMatching(
        /^ok JetStream 2\.\d+\.\d+ accepts usage of the cell cell-\d+ in 4 streams/,
      ),
      'ok Each NATS server writes messages to its disk at once',
      expect.stringMatching(/^ok [1-9]\d* messages wait/),
    ]);
    expect(await check({ NATS_MONITORING_URLS: '' })).toContain(
      'warning NATS_MONITORING_URLS is not set, so sync_interval: always is not checked',
    );
    expect(await check({ NATS_MONITORING_URLS: 'http://127.0.0.1:1' })).toEqual([
      expect.stringMatching(/^error NATS_MONITORING_URLS: .* cannot be read/),
    ]);
    expect(await check({ NATS_URLS: 'nats://127.0.0.1:1' })).toEqual([
      'error NATS cannot be reached',
    ]);
  });

  test('streams and servers that could lose a message are refused at the start', async ({
    session,
  }) => {
    await using opened = new AsyncDisposableStack();
    const three = aStream(session, opened, { NATS_REPLICAS: '3' });
    await expect(three).rejects.toThrow(
      /JetStream refuses to create the stream usage-cell-\d+-0 with 3 replicas/,
    );
    const { manager } = await asOperator(opened);
    const unsafe = { num_replicas: 1, storage: 'file', discard: 'new' } as const;
    const kinds = [
      [{ ...unsafe, storage: 'memory' }, 'must have file storage'],
      [{ ...unsafe, discard: 'old' }, 'must discard new messages'],
      [{ ...unsafe, max_age: 1e12, duplicate_window: 1e9 }, 'must not delete messages by age'],
      [{ ...unsafe, retention: 'workqueue' }, 'must have the retention limits'],
      [unsafe, 'has 1 of 3 replicas: one lost server would lose acknowledged usage'],
    ] as const;
    for (const [place, [kind, message]] of kinds.entries()) {
      const cell = `unsafe-${place}`;
      await manager.streams.add({
        name: `usage-${cell}-0`,
        subjects: [`usage.${cell}.0`],
        ...kind,
      });
      const NATS_REPLICAS = message.startsWith('has') ? '3' : '1';
      const started = aStream(session, opened, { TOLLGATE_CELL: cell, NATS_REPLICAS });
      await expect(started).rejects.toThrow(message);
    }
    const change = (text: string) => text.replace('sync_interval: always', '');
    const lazy = opened.use(await startNats({ size: 1, change }));
    const unsynced = aStream(session, opened, lazy.settings);
    await expect(unsynced).rejects.toThrow('Set sync_interval: always in its block jetstream');
  });
});

/** Sends an event until it is accepted, which happens at once unless a stream is being replaced. */
async function accept(api: Api, usageEvent: object) {
  const send = () => api('POST', '/usage-events', { usageEvent }, asynchronous);
  await expect.poll(async () => (await send()).status).toBe(202);
}

/** Another organization whose usage is in a partition. */
async function inPartition(em: Session['em'], partition: number) {
  for (;;) {
    const tenant = await aTenant(em);
    if (partitionOf(tenant.session) === partition) return tenant;
  }
}

/** A subscription and a meter with a price. */
async function aUser(session: Session) {
  const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id, { slug: `calls-${meter.slug}`, isDefault: true });
  const event = (transactionId: string, amount = 1) => ({
    subscriptionId,
    amount,
    transactionId,
    usageMeterSlug: meter.slug,
  });
  return { subscriptionId, meter, event };
}

const counted = ({ em, pricingModelId }: Session) =>
  em.fork().count(UsageEvent, { pricingModelId });
