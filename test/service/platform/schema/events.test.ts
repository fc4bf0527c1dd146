// @module-tag long
import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { updateUsageMeter } from '#domain/catalog/commands/usage-meters/update-usage-meter.ts';
import { command } from '#domain/kernel/command.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Event } from '#domain/model/platform/event.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { startServer } from '#server/server.ts';
import { aProduct, aResource, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test as base, graphqlOf } from '../../../support/test.ts';

const test = base.extend('url', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
  const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  onCleanup(() => server[Symbol.asyncDispose]());
  return server.url;
});

const fresh = ({ em, apiKeyId, ...scope }: Session) => openSession(em, scope, apiKeyId);

const rename = (session: Session, id: string, name: string) =>
  updateUsageMeter(fresh(session), { id, usageMeter: { name } });

/** Changes many objects of its own in each of several transactions. */
async function changeMany(session: Session, objects: number, transactions: number) {
  const ids = await command(fresh(session), async ({ em }) =>
    Array.from({ length: objects }, () => {
      const slug = crypto.randomUUID();
      return em.create(Resource, { name: 'Zero', slug }).id;
    }),
  );
  for (let n = 1; n <= transactions; n++) {
    await command(fresh(session), async ({ em }) => {
      for (const resource of await em.find(Resource, ids)) resource.name = `Name ${n}`;
    });
  }
}

const connect = (url: string, key: string) =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: key },
  });

describe('an event', () => {
  test('tells what happened, to what, and what it was before', async ({ api, session }) => {
    const { body } = await api('POST', '/usage-meters', {
      usageMeter: { name: 'Before', slug: 'calls' },
    });
    const { id } = body.usageMeter;
    const put = await api('PUT', `/usage-meters/${id}`, { usageMeter: { name: 'After' } });
    const { body: feed } = await api('GET', `/events?objectId=${id}`);
    expect(feed.data).toHaveLength(2);
    expect(feed.data[0]).toEqual({
      id: expect.stringMatching(/^evt_\w{21}$/),
      sequence: expect.any(Number),
      type: 'usage_meter.created',
      objectType: 'UsageMeter',
      objectId: id,
      objectVersion: 1,
      // The graph shows it; the documented record of REST has no such field.
      data: { ...body.usageMeter, taxCode: null },
      previousAttributes: null,
      customerId: null,
      livemode: false,
      organizationId: session.organizationId,
      pricingModelId: session.pricingModelId,
      occurredAt: body.usageMeter.createdAt,
      causeId: expect.stringMatching(/^[0-9a-f]{8}$/),
      actor: { type: 'api_key', id: session.apiKeyId },
    });
    expect(feed.data[1]).toMatchObject({
      type: 'usage_meter.updated',
      objectVersion: 2,
      data: put.body.usageMeter,
      previousAttributes: { name: 'Before' },
      causeId: put.headers.get('x-request-id'),
    });
    expect(feed.data[1].sequence).toBeGreaterThan(feed.data[0].sequence);
  });

  test('shows each object as reading it by id does', async ({ api, session }) => {
    const feature = await aToggle(session);
    const product = await aProduct(session, { featureIds: [feature.id] });
    await aResource(session);
    const { body } = await api('GET', '/events?limit=100');
    const paths: Record<string, string> = {
      Feature: 'features',
      Price: 'prices',
      ProductFeature: 'product-features',
      Resource: 'resources',
    };
    const seen = new Set<string>();
    for (const event of body.data) {
      const path = paths[event.objectType];
      if (!path) continue;
      seen.add(event.objectType);
      const [record] = Object.values((await api('GET', `/${path}/${event.objectId}`)).body);
      expect(event.data, event.objectType).toMatchObject(record as object);
    }
    expect([...seen].sort()).toEqual(Object.keys(paths).sort());
    const created = body.data.find(({ objectId }: { objectId: string }) => objectId === product.id);
    const {
      prices: _,
      defaultPrice: __,
      features: ___,
      ...record
    } = (await api('GET', `/products/${product.id}`)).body;
    // The REST record of a product has the published shape, without the tax code and add-ons.
    expect(created.data).toEqual({ ...record, taxCode: null, addOn: false });
  });

  test('is one for an object that a transaction changes several times, and none when it is rolled back', async ({
    session,
  }) => {
    const { id } = await aResource(session, { name: 'One' });
    const change = (fail: boolean) =>
      command(fresh(session), async ({ em }) => {
        const resource = await em.findOneOrFail(Resource, id);
        for (const name of ['Two', 'Three']) {
          resource.name = name;
          await em.flush();
        }
        if (fail) throw new Error('on purpose');
      });
    await change(true).catch(() => {});
    await change(false);
    const events = await fresh(session).em.find(
      Event,
      { objectId: id },
      { orderBy: { position: 'asc' } },
    );
    expect(events.map(({ type, previousAttributes }) => [type, previousAttributes])).toEqual([
      ['resource.created', null],
      ['resource.updated', { name: 'One' }],
    ]);
    expect(events[1]?.data.name).toBe('Three');
  });

  test('never shows a secret', async ({ api }) => {
    const webhook = { name: 'W', url: 'https://example.com', filterTypes: ['customer.created'] };
    const { body } = await api('POST', '/webhooks', { webhook });
    const { body: feed } = await api('GET', `/events?objectId=${body.webhook.id}`);
    expect(feed.data[0].data).toEqual({ ...body.webhook, disabledReason: null });
    expect(JSON.stringify(feed)).not.toContain(body.secret);
  });

  test('is not seen by another tenant', async ({ database, gateway, session }) => {
    const meter = await aUsageMeter(session);
    const other = await aTenant(database.orm.em);
    const query =
      'query($id: ID!) { events(where: { object: { is: $id } }) { nodes { id } totalCount } }';
    const { data } = await graphqlOf(gateway, other.key)(query, { id: meter.id });
    expect(data.events).toEqual({ nodes: [], totalCount: 0 });
  });
});

describe('the feed', () => {
  test('never skips a reader past an event, whatever the writers do', async ({
    database,
    session,
  }) => {
    const meters = await Promise.all(Array.from({ length: 8 }, () => aUsageMeter(session)));
    const seen: number[] = [];
    let last = 0;
    let writing = true;
    const writers = meters.map(async ({ id }) => {
      for (let n = 0; n < 25; n++) await rename(session, id, `Name ${n}`);
    });
    const reader = (async () => {
      for (;;) {
        // Only a look that begins after the last write can be the last one.
        const wasWriting = writing;
        const em = database.orm.em.fork();
        await sequenceEvents(em, session);
        const rows = await em.execute<{ sequence: string }[]>(
          `select sequence from event where organization_id = ? and livemode = ? and sequence > ?
           order by sequence limit 20`,
          [session.organizationId, session.livemode, last],
        );
        if (rows.length === 0 && !wasWriting) return;
        seen.push(...rows.map(({ sequence }) => Number(sequence)));
        last = seen.at(-1) ?? 0;
      }
    })();
    await Promise.all(writers);
    writing = false;
    await reader;
    const [{ total }] = await database.orm.em.execute<[{ total: string }]>(
      'select count(*) as total from event where organization_id = ? and livemode = ?',
      [session.organizationId, session.livemode],
    );
    expect(seen).toHaveLength(Number(total));
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1));
  });

  test('has no gap for any of 1,000 organizations, whatever the others do and whoever numbers', async ({
    database,
    session,
  }) => {
    const { orm } = database;
    const organizations = 1_000;
    const like = (record: string, changes: string) =>
      `(jsonb_populate_record(${record}, jsonb_build_object(${changes}))).*`;
    const em = orm.em.fork();
    await em.execute(
      `insert into organization select ${like('o', `'id', 'org_many_' || n`)}
       from organization as o, generate_series(0, ${organizations - 1}) as n where o.id = ?`,
      [session.organizationId],
    );
    const model = `'id', 'pm_many_' || n, 'organization_id', 'org_many_' || n, 'livemode', n % 2 = 0, 'position', 1000000 + n`;
    await em.execute(
      `insert into pricing_model select ${like('m', model)}
       from pricing_model as m, generate_series(0, ${organizations - 1}) as n where m.id = ?`,
      [session.pricingModelId],
    );
    const write = (from: number, to: number) =>
      orm.em.fork().execute(
        `insert into event (id, type, object_type, object_id, object_version, data, livemode, organization_id,
           pricing_model_id, occurred_at)
         select 'evt_many_' || n, 'customer.updated', 'Customer', 'cus_' || n, 1, '{}', n % 2 = 0,
           'org_many_' || n % ${organizations}, 'pm_many_' || n % ${organizations}, now() from generate_series(?::int, ?::int) as n`,
        [from, to - 1],
      );
    const size = 400;
    const count = 12_000;
    const starts = Array.from({ length: count / size }, (_, place) => place * size).values();
    const writers = Array.from({ length: 4 }, async () => {
      for (const start of starts) await write(start, start + size);
    });
    let writing = true;
    const number = async () => {
      while (writing) await sequenceEvents(orm.em.fork());
    };
    const numbering = Promise.all([number(), number()]);
    await Promise.all(writers).finally(() => {
      writing = false;
    });
    await numbering;
    await sequenceEvents(orm.em.fork());
    const feeds = await orm.em.fork().execute(
      `select count(*) filter (where least = 1 and most = total and sequence = total)::int as whole, count(*)::int as feeds,
         sum(total)::int as total
       from (select organization_id, livemode, min(sequence) as least, max(sequence) as most, count(*) as total
         from event where id like 'evt_many_%' group by 1, 2) as own join event_head using (organization_id, livemode)`,
    );
    expect(feeds).toEqual([{ whole: organizations, feeds: organizations, total: count }]);
  });

  test('keeps the order of one object’s versions', async ({ api, session }) => {
    const { id } = await aResource(session);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api('PUT', `/resources/${id}`, { resource: { name: `N${n}` } }),
      ),
    );
    const { body } = await api('GET', `/events?objectId=${id}&limit=100`);
    const versions = body.data.map(({ objectVersion }: { objectVersion: number }) => objectVersion);
    expect(versions).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  });

  test('is read on from a sequence, by type', async ({ api, session }) => {
    for (let n = 0; n < 3; n++) await aResource(session);
    const first = await api('GET', '/events?types=resource.created&limit=2');
    expect(first.body).toMatchObject({ hasMore: true, data: [{}, {}] });
    const rest = await api('GET', `/events?types=resource.created&after=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ hasMore: false, data: [{ type: 'resource.created' }] });
    expect(rest.body).not.toHaveProperty('nextCursor');
  });

  test('refuses a sequence whose successors are gone, and states from where it can be read', async ({
    api,
    database,
    session,
  }) => {
    await aResource(session);
    await sequenceEvents(session.em);
    await database.orm.em.execute('update event_head set purged = 7');
    const { status, body } = await api('GET', '/events?after=3');
    await database.orm.em.execute('update event_head set purged = 0');
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ message: expect.stringContaining('follows sequence 7') }],
    });
  });

  test.for(['x', '-1', '1.5', '99999999999999999999'])(
    'refuses the sequence %s',
    async (after, { api }) => {
      expect(await api('GET', `/events?after=${after}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('following the feed', () => {
  const all =
    'subscription($after: Sequence, $types: [EventType!]) { events(after: $after, types: $types) { sequence } }';
  const follow =
    'subscription($after: Sequence, $id: ID) { events(after: $after, objectId: $id) { sequence data } }';

  test('gives each of 10,000 events once and in order, over reconnects while they are written', async ({
    database,
    url,
    tenant,
    session,
  }) => {
    const objects = 100;
    const [writers, transactions] = [2, 50];
    const forced = [1_500, 4_000, 7_500];
    const seen: number[] = [];
    let connections = 0;
    let done = false;
    const writing = Promise.all(
      Array.from({ length: writers }, () => changeMany(session, objects, transactions)),
    ).then(() => (done = true));

    const total = 10_000;
    while (seen.length < total) {
      const client = connect(url, tenant.key);
      const until = forced[connections++] ?? total;
      const variables = { after: seen.at(-1) ?? 0, types: ['resource.updated'] };
      for await (const { data } of client.iterate<Json>({ query: all, variables })) {
        // Without data the connection was too slow and is notified; it continues like any other.
        if (data) seen.push(data.events.sequence);
        if (seen.length === forced[0]) expect(done, 'written while it is read').toBe(false);
        if (seen.length >= until) break;
      }
      await client.dispose();
    }
    await writing;
    const written = await database.orm.em.execute<{ sequence: string }[]>(
      `select sequence from event where pricing_model_id = ? and type = 'resource.updated' order by sequence`,
      [session.pricingModelId],
    );
    expect(connections).toBeGreaterThan(forced.length);
    expect(written).toHaveLength(total);
    expect(seen).toEqual(written.map(({ sequence }) => Number(sequence)));
  });

  test('answers each who asks differently what they have asked', async ({
    url,
    tenant,
    session,
  }) => {
    const meter = await aUsageMeter(session, { name: 'Zero' });
    const other = await aKey(session, 'secret');
    const query =
      'subscription($id: ID, $named: Boolean!) { events(after: 0, objectId: $id) { type data @include(if: $named) } }';
    const clients = [connect(url, tenant.key), connect(url, tenant.key), connect(url, other)];
    const messages = clients.map((client, place) =>
      client.iterate<Json>({ query, variables: { id: meter.id, named: place !== 1 } }),
    );
    const read = () => Promise.all(messages.map(async (each) => (await each.next()).value.data));
    await read();
    await rename(session, meter.id, 'One');
    const type = 'usage_meter.updated';
    const named = { events: { type, data: expect.objectContaining({ name: 'One' }) } };
    expect(await read()).toEqual([named, { events: { type } }, named]);
    for (const client of clients) await client.dispose();
  });

  test('over SSE each message has its sequence as id, and Last-Event-ID continues after it', async ({
    url,
    tenant,
    session,
  }) => {
    const meter = await aUsageMeter(session, { name: 'Zero' });
    for (const name of ['One', 'Two']) await rename(session, meter.id, name);
    const read = async (lastEventId: string, messages: number) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: tenant.key,
          accept: 'text/event-stream',
          'content-type': 'application/json',
          'last-event-id': lastEventId,
        },
        body: JSON.stringify({ query: follow, variables: { id: meter.id } }),
      });
      let text = '';
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        if (text.split('data: {').length > messages) break;
      }
      return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id);
    };
    const [first, second, third] = await read('0', 3);
    expect(await read(second ?? '', 1)).toEqual([third]);
    expect(Number(second)).toBeGreaterThan(Number(first));
  });

  test('ends with the sequence to resume from for a client that is too slow', async ({
    hub,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const { organizationId, livemode, pricingModelId } = session;
    const following = {
      organizationId,
      livemode,
      pricingModelId,
      credentialId: undefined,
      expiresAt: null,
    };
    const slow = await hub.follow({ ...following, objectId: meter.id });
    const first = slow.next();
    await rename(session, meter.id, 'First');
    const sequence = (await first).value.sequence;
    await session.em.fork().execute(
      `insert into event (id, type, object_type, object_id, object_version, data, livemode, organization_id, pricing_model_id, occurred_at, transaction_id)
       select 'evt_' || n || ?, type, object_type, object_id, n, data, livemode, organization_id, pricing_model_id, now(), ('1' || n)::text::xid8
       from event, generate_series(1, 1100) as n
       where organization_id = ? and livemode = ? and sequence = ?`,
      [meter.id, organizationId, livemode, sequence],
    );
    await expect(async () => {
      for (let n = 0; n < 2_000; n++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (n > 200) await slow.next();
      }
    }).rejects.toThrow(`resume after sequence ${sequence}`);
  });

  test('gives clients that pause each event once and in order, before and after they read on, each by its own id', async ({
    url,
    tenant,
    session,
  }) => {
    const [count, bytes] = [800, 8_000];
    const meter = await aUsageMeter(session, { name: 'Zero' });
    // The first two ids take as many bytes as JSON, so their messages are copies of each other.
    const clients = ['"', 'ab', 'another', 'é'].map((id) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const seen: string[] = [];
      socket.on('message', (text) => {
        const { type, payload, id: own } = JSON.parse(String(text));
        if (type === 'connection_ack') {
          const variables = { after: 0, id: meter.id };
          socket.send(
            JSON.stringify({ id, type: 'subscribe', payload: { query: follow, variables } }),
          );
        }
        if (type === 'next') seen.push(own === id ? payload.data.events.data.name : own);
      });
      socket.on('open', () =>
        socket.send(
          JSON.stringify({ type: 'connection_init', payload: { authorization: tenant.key } }),
        ),
      );
      return { socket, seen };
    });
    const seen = () => clients.map(({ seen }) => seen.join(' '));
    const ofAll = (...names: string[]) => clients.map(() => names.join(' '));
    await expect.poll(seen).toEqual(ofAll('Zero'));
    await rename(session, meter.id, 'One');
    await expect.poll(seen).toEqual(ofAll('Zero', 'One'));
    const paused = clients.slice(0, 3);
    for (const { socket } of paused) socket.pause();
    const { organizationId, livemode, pricingModelId } = session;
    const numbers = Array.from({ length: count }, (_, n) => String(n));
    await session.em.fork().execute(
      `insert into event (id, type, object_type, object_id, object_version, data, livemode, organization_id, pricing_model_id, occurred_at, transaction_id)
       select 'evt_' || n || ?, 'usage_meter.updated', 'UsageMeter', ?, n + 3, jsonb_build_object('name', n::text, 'rest', repeat('x', ${bytes})), ?, ?, ?, now(), ('9000000' || n)::text::xid8
       from generate_series(0, ${count - 1}) as n`,
      [meter.id, meter.id, livemode, organizationId, pricingModelId],
    );
    await rename(session, meter.id, 'Last');
    await expect.poll(() => clients.at(-1)?.seen.length).toBe(count + 3);
    expect(paused.every(({ seen }) => seen.length < count)).toBe(true);
    for (const { socket } of paused) socket.resume();
    await expect
      .poll(() => clients.map(({ seen }) => seen.length))
      .toEqual(clients.map(() => count + 3));
    await rename(session, meter.id, 'Later');
    await expect.poll(seen).toEqual(ofAll('Zero', 'One', ...numbers, 'Last', 'Later'));
    for (const { socket } of clients) socket.terminate();
  });

  test('gives two operations on one socket each event once and in order, after a catch-up of thousands', async ({
    url,
    tenant,
    session,
  }) => {
    const count = 3_000;
    const meter = await aUsageMeter(session, { name: 'Zero' });
    const { organizationId, livemode, pricingModelId } = session;
    await session.em.fork().execute(
      `insert into event (id, type, object_type, object_id, object_version, data, livemode, organization_id, pricing_model_id, occurred_at, transaction_id)
       select 'evt_' || n || ?, 'usage_meter.updated', 'UsageMeter', ?, n + 3, jsonb_build_object('name', n::text), ?, ?, ?, now(), ('9100000' || n)::text::xid8
       from generate_series(0, ${count - 1}) as n`,
      [meter.id, meter.id, livemode, organizationId, pricingModelId],
    );
    const client = connect(url, tenant.key);
    const expected = ['Zero', ...Array.from({ length: count }, (_, n) => String(n)), 'Last'];
    const variables = { after: 0, id: meter.id };
    const readers = [0, 1].map(async () => {
      const names: string[] = [];
      for await (const { data } of client.iterate({ query: follow, variables })) {
        const { name } = (data as { events: { data: { name: string } } }).events.data;
        names.push(name);
        if (name === 'Last') break;
      }
      return names;
    });
    await rename(session, meter.id, 'Last');
    expect(await Promise.all(readers)).toEqual([expected, expected]);
    await client.dispose();
  });

  test('ends at once when the key is revoked, and so does its WebSocket', async ({
    url,
    tenant,
    session,
  }) => {
    const client = connect(url, tenant.key);
    const closed = new Promise((resolve) => client.on('closed', resolve));
    const messages = client.iterate({ query: 'subscription { events { sequence } }' });
    const first = messages.next();
    // The subscription hears of something, so it is established; then its key goes.
    const meter = await aUsageMeter(session);
    let seen = false;
    const heard = first.then(() => (seen = true));
    for (let n = 0; !seen; n++) {
      await rename(session, meter.id, `Name ${n}`);
    }
    await heard;
    await revokeApiKey(fresh(session), { id: session.apiKeyId ?? '' });
    expect(await closed).toMatchObject({ code: 4403 });
    await client.dispose();
  });

  test('is for secret keys', async ({ graphql, session }) => {
    const { createApiKey } = await import('#domain/platform/commands/api-keys/create-api-key.ts');
    const { token } = await createApiKey(fresh(session), {
      apiKey: { name: 'P', type: 'publishable' },
    });
    const { errors } = await graphql('{ events { nodes { id } } }', {}, { key: token });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

describe('A page of the feed', () => {
  const page =
    'query($first: Int, $after: String, $last: Int, $before: String, $orderBy: EventOrder) { events(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy) { nodes { sequence } pageInfo { hasNextPage hasPreviousPage } } }';

  test('is the same forward and backward, in both orders, between cursors', async ({
    session,
    graphql,
  }) => {
    await changeMany(session, 4, 3);
    const read = async (variables: Record<string, unknown>) => {
      const { data } = await graphql(page, variables);
      const { nodes, pageInfo } = data.events;
      return [nodes.map(({ sequence }: { sequence: number }) => sequence), pageInfo] as const;
    };
    const [all] = await read({ first: 100 });
    expect(all.length).toBeGreaterThan(12);
    const [left, right] = [all[2], all[9]];
    expect(await read({ last: 3 })).toEqual([
      all.slice(-3),
      { hasNextPage: false, hasPreviousPage: true },
    ]);
    expect((await read({ last: 3, before: String(right) }))[0]).toEqual(all.slice(6, 9));
    expect((await read({ after: String(left), before: String(right), first: 100 }))[0]).toEqual(
      all.slice(3, 9),
    );
    const down = { orderBy: 'sequence_desc' };
    expect((await read({ ...down, first: 3 }))[0]).toEqual(all.slice(-3).toReversed());
    expect((await read({ ...down, first: 3, after: String(right) }))[0]).toEqual(
      all.slice(6, 9).toReversed(),
    );
    expect((await read({ ...down, last: 3, before: String(left) }))[0]).toEqual(
      all.slice(3, 6).toReversed(),
    );
  });
});
