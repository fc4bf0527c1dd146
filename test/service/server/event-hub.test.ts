import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import type { LiveReader } from '#engines/live/live-reader.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { aResource } from '../../support/factories.ts';
import { lockFeed } from '../../support/servers/locked-feed.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { aTenant } from '../../support/tenant.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const heartbeat = { everyMilliseconds: 100, longestAnswerMilliseconds: 300 };

test('a listening connection that the network swallows is replaced, and followers miss nothing', async ({
  database: { databaseUrl, orm },
  session,
}) => {
  await using proxy = await startProxy(databaseUrl);
  const log = createLogger('silent');
  await using hub = await openEventHub(orm, proxy.databaseUrl, log, heartbeat);
  const { organizationId, livemode, pricingModelId, apiKeyId } = session;
  const whose = { pricingModelId, credentialId: apiKeyId, expiresAt: null };
  const types = ['resource.created'] as const;
  const events = await hub.follow({ ...whose, organizationId, livemode, types });
  const received: (number | null | undefined)[] = [];
  const receive = async () => received.push((await events.next()).value.sequence);

  await aResource(session, { slug: 'before' });
  await receive();
  const watch = hub.watchDeliveries(whose);
  const interrupted = expect(watch.next()).rejects.toThrow('Changes may have been missed');
  proxy.swallow();
  await aResource(session, { slug: 'swallowed' });
  await aResource(session, { slug: 'swallowed, too' });
  await interrupted;
  await receive();
  await receive();

  // The new connection listens: deliveries are announced over it alone.
  const anew = hub.watchDeliveries(whose);
  const changed = anew.next();
  const announcement = `elsewhere\n${pricingModelId} webhook_a delivery_a`;
  await orm.em.fork().execute(`select pg_notify('tollgate_delivery', ?)`, [announcement]);
  expect(await changed).toEqual({ done: false, value: { id: 'delivery_a' } });
  await aResource(session, { slug: 'after' });
  await receive();

  const written = await session.em
    .fork()
    .find(Event, { type: 'resource.created' }, { orderBy: { sequence: 'asc' } });
  expect(received).toHaveLength(4);
  expect(received).toEqual(written.map(({ sequence }) => sequence));
});

test('a burst of events is handed out to a part of the followers before other work runs', async ({
  database: { databaseUrl, orm },
  session,
}) => {
  await using hub = await openEventHub(orm, databaseUrl, createLogger('silent'), heartbeat);
  const { organizationId, livemode, pricingModelId, apiKeyId } = session;
  const whose = { pricingModelId, credentialId: apiKeyId, expiresAt: null };
  const [followers, burst] = [40, 400];
  let inTurn = 0;
  let mostInTurn = 0;
  let all = 0;
  for (let n = 0; n < followers; n++) {
    const following = { ...whose, organizationId, livemode, types: ['resource.created'] as const };
    const events = (await hub.follow(following)) as LiveReader<Event>;
    events.tap(({ length }) => {
      all += length;
      inTurn += length;
      mostInTurn = Math.max(mostInTurn, inTurn);
      return { delivered: length, isLater: false };
    });
    // From its first wait on, the reader leaves all events to the tap.
    void events.next();
  }
  await orm.em.fork().transactional(async (em) => {
    await aResource({ ...session, em } as Session, { slug: 'pattern' });
    await em.execute(
      `insert into event select copy.* from event e, generate_series(1, ?) n, jsonb_populate_record(e,
         jsonb_build_object('id', e.id || '_' || n, 'object_id', e.object_id || '_' || n,
           'position', nextval('event_position') + 0 * n)) copy
       where e.object_id in (select id from resource where slug = 'pattern' and pricing_model_id = ?)`,
      [burst - 1, pricingModelId],
    );
  });
  while (all < followers * burst) {
    inTurn = 0;
    await new Promise(setImmediate);
  }
  expect(all).toBe(followers * burst);
  expect(mostInTurn).toBeLessThanOrEqual(2_000);
});

test('a feed that is locked delays no other, and is not read twice at a time after another has failed', async ({
  database: { databaseUrl, orm },
  session,
}) => {
  const { session: other } = await aTenant(orm.em);
  await using hub = await openEventHub(orm, databaseUrl, createLogger('silent'), heartbeat);
  const observer = new pg.Client(databaseUrl);
  await observer.connect();
  onTestFinished(() => observer.end());
  const received = await receivedFrom(session);
  const receivedFromOther = await receivedFrom(other);
  await aResource(session, { slug: 'before' });
  await expect.poll(() => received.length).toBe(1);

  await using own = await lockFeed(databaseUrl, session);
  await using failing = await lockFeed(databaseUrl, other);
  await aResource(session, { slug: 'locked' });
  await aResource(other, { slug: 'locked' });
  await expect.poll(readers).toHaveLength(2);
  expect(await failing.endWaiting()).toBe(1);
  await failing.release();
  // The other organization does not wait for the lock.
  await expect.poll(() => receivedFromOther).toHaveLength(1);
  // After a failure all feeds are read again, half a second later.
  let most = 0;
  const end = performance.now() + 1_500;
  while (performance.now() < end) most = Math.max(most, (await readers()).length);
  expect(most, 'reads of one feed at a time').toBe(1);
  await own.release();
  await aResource(session, { slug: 'after' });

  await expect.poll(() => received.length).toBe(3);
  const written = await session.em
    .fork()
    .find(Event, { type: 'resource.created' }, { orderBy: { sequence: 'asc' } });
  expect(received).toEqual(written.map(({ sequence }) => sequence));

  async function receivedFrom({ organizationId, livemode, pricingModelId, apiKeyId }: Session) {
    const whose = { organizationId, livemode, pricingModelId, credentialId: apiKeyId };
    const events = await hub.follow({ ...whose, types: ['resource.created'], expiresAt: null });
    const sequences: (number | null | undefined)[] = [];
    const receive = async () => {
      for await (const { sequence } of events) sequences.push(sequence);
    };
    void receive();
    return sequences;
  }

  /** The backends that wait for their turn to read a feed. */
  async function readers() {
    const { rows } = await observer.query(
      `select pid from pg_stat_activity
       where wait_event_type = 'Lock' and query like '%advance_feed%' and datname = current_database()`,
    );
    return rows;
  }
});

test('the feed of an organization that arrives from another cell is left to its copy, and read from its end after it', async ({
  database: { databaseUrl, orm },
  session,
}) => {
  const { session: arriving } = await aTenant(orm.em);
  const { organizationId } = arriving;
  const em = orm.em.fork();
  await aResource(arriving, { slug: 'copied' });
  await using hub = await openEventHub(orm, databaseUrl, createLogger('silent'), heartbeat);
  const seen: string[] = [];
  hub.onEach('resource.created', ({ organizationId }) => seen.push(organizationId));
  await expect.poll(() => seen).toEqual([organizationId]);

  await em.execute(
    `insert into organization_move (organization_id, state, cell) values (?, 'arriving', 'other')`,
    [organizationId],
  );
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  // The copy writes without the triggers that wake readers; the numbers come with the rows.
  await client.query(`begin; set local session_replication_role = replica`);
  await client.query(
    `insert into event select copy.* from event e, jsonb_populate_record(e,
       jsonb_build_object('id', e.id || '_2', 'sequence', null, 'position', nextval('event_position'))) copy
     where e.organization_id = $1 and e.type = 'resource.created'`,
    [organizationId],
  );
  await client.query('update event_head set sequence = sequence + 10 where organization_id = $1', [
    organizationId,
  ]);
  await client.query('commit');
  await hear();
  expect(await unnumbered(), 'events that another cell numbers').toBe(1);
  expect(seen.filter((id) => id === organizationId)).toHaveLength(1);

  await em.execute('delete from organization_move where organization_id = ?', [organizationId]);
  await hear();
  await expect.poll(unnumbered).toBe(0);
  await expect.poll(() => seen.filter((id) => id === organizationId)).toHaveLength(2);

  /** Lets all feeds be looked at, and waits until two events of another organization have been read after it. */
  async function hear() {
    const { pricingModelId, apiKeyId } = session;
    const watch = hub.watchDeliveries({ pricingModelId, credentialId: apiKeyId, expiresAt: null });
    const interrupted = expect(watch.next()).rejects.toThrow('Changes may have been missed');
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'tollgate listen' and datname = current_database()`,
    );
    await interrupted;
    for (const slug of ['one', 'two']) {
      const before = seen.filter((id) => id === session.organizationId).length;
      await aResource(session, { slug: `${slug}-${before}` });
      await expect
        .poll(() => seen.filter((id) => id === session.organizationId).length)
        .toBe(before + 1);
    }
  }

  async function unnumbered() {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from event where organization_id = $1 and sequence is null',
      [organizationId],
    );
    return rows[0]?.count;
  }
});
