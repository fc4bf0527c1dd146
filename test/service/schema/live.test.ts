import type { MikroORM } from '@mikro-orm/postgresql';
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { updateUsageMeter } from '#domain/catalog/commands/usage-meters/update-usage-meter.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { type EventHub, openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aUsageMeter, aUsagePrice } from '../../support/factories.ts';
import { aKey } from '../../support/tenant.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('its gateway has settings of its own')
  .extend('watched', { scope: 'file' }, () => new Set<string>())
  .extend('gateway', { scope: 'file' }, ({ database, hub, watched }) =>
    createGateway({ ...parts(database.orm), hub: noting(hub, watched) }),
  )
  .extend('url', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server.url;
  });

const parts = (orm: MikroORM) => ({
  orm,
  logger: createLogger('silent'),
  production: true,
  operationTimeLimitSeconds: 5,
});

/** The same hub, noting what is followed: from then on no change is missed. */
const noting = (hub: EventHub, watched: Set<string>): EventHub => ({
  ...hub,
  async follow(following, after) {
    const iterator = await hub.follow(following, after);
    const leave = iterator.return?.bind(iterator);
    iterator.return = async () => {
      watched.delete(following.objectId ?? '');
      return (await leave?.()) ?? { done: true, value: undefined };
    };
    watched.add(following.objectId ?? '');
    return iterator;
  },
});

const watching = (watched: Set<string>, id: string) =>
  expect.poll(() => watched, { interval: 5 }).toContain(id);

const changed = 'subscription($id: ID!) { usageMeterChanged(id: $id) { id name } }';

const rename = ({ em, apiKeyId, ...scope }: Session, id: string, name: string) =>
  updateUsageMeter(openSession(em, scope, apiKeyId), { id, usageMeter: { name } });

/** A graphql-transport-ws client; `next` waits for a message, so no test has to guess a time. */
function connect(url: string, key: string | undefined) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    connectionParams: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  return client;
}

test('a change is seen over WebSocket by a client that watches the object', async ({
  url,
  tenant,
  session,
  watched,
}) => {
  const meter = await aUsageMeter(session, { name: 'Before' });
  const client = connect(url, tenant.key);
  const messages = client.iterate<{ usageMeterChanged: { name: string } }>({
    query: changed,
    variables: { id: meter.id },
  });
  const first = messages.next();
  await watching(watched, meter.id);
  await rename(session, meter.id, 'After');
  expect((await first).value).toEqual({
    data: { usageMeterChanged: { id: meter.id, name: 'After' } },
  });
  const second = messages.next();
  await rename(session, meter.id, 'Later');
  expect((await second).value.data.usageMeterChanged.name).toBe('Later');
  await messages.return?.();
  await client.dispose();
});

test('a change is seen over SSE by a client that watches the object', async ({
  url,
  tenant,
  session,
}) => {
  const meter = await aUsageMeter(session);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: tenant.key,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: changed, variables: { id: meter.id } }),
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await rename(session, meter.id, 'Seen');
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('Seen')) break;
  }
  expect(text).toContain(
    `event: next\ndata: {"data":{"usageMeterChanged":{"id":"${meter.id}","name":"Seen"}}}`,
  );
});

test('a publishable key may watch the catalog', async ({ url, session, watched }) => {
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id);
  const client = connect(url, await aKey(session, 'publishable'));
  const messages = client.iterate({ query: changed, variables: { id: meter.id } });
  const first = messages.next();
  await watching(watched, meter.id);
  await rename(session, meter.id, 'Public');
  expect((await first).value).toMatchObject({ data: { usageMeterChanged: { name: 'Public' } } });
  await client.dispose();
});

test('a change that is rolled back is not announced', async ({ hub, session }) => {
  const heard: string[] = [];
  for (const type of ['usage_meter.created', 'usage_meter.updated'] as const) {
    hub.onEach(type, ({ objectId }) => void heard.push(objectId));
  }
  const meter = await aUsageMeter(session);
  await expect.poll(() => heard, { interval: 5 }).toContain(meter.id);
  heard.length = 0;
  await session.em
    .transactional(async (em) => {
      await rename({ ...session, em }, meter.id, 'Never');
      throw new Error('on purpose');
    })
    .catch(() => {});
  const other = await aUsageMeter(session);
  await expect.poll(() => heard, { interval: 5 }).toContain(other.id);
  expect(heard).not.toContain(meter.id);
});

test('watchers of another process see the change too', async ({
  database,
  url,
  tenant,
  session,
  watched,
}) => {
  const meter = await aUsageMeter(session);
  const feed = await openEventHub(database.orm, database.databaseUrl, createLogger('silent'));
  await using opened = new AsyncDisposableStack();
  opened.use(feed);
  const gateway = createGateway({ ...parts(database.orm), hub: noting(feed, watched) });
  const other = opened.use(await startServer(gateway, { host: '127.0.0.1', port: 0 }, feed));
  const client = connect(other.url, tenant.key);
  opened.defer(() => client.dispose());
  const messages = client.iterate({ query: changed, variables: { id: meter.id } });
  const first = messages.next();
  await watching(watched, meter.id);
  const answer = await fetch(`${url}/api/v1/usage-meters/${meter.id}`, {
    method: 'PUT',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body: JSON.stringify({ usageMeter: { name: 'Across' } }),
  });
  expect(answer.status).toBe(200);
  expect((await first).value).toMatchObject({ data: { usageMeterChanged: { name: 'Across' } } });
});

test('what happens while the listening connection is lost is seen all the same', async ({
  database,
  url,
  tenant,
  session,
  watched,
}) => {
  const meter = await aUsageMeter(session);
  const client = connect(url, tenant.key);
  const messages = client.iterate({ query: changed, variables: { id: meter.id } });
  const first = messages.next();
  await watching(watched, meter.id);
  await database.orm.em.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tollgate listen' and datname = current_database()`,
  );
  await rename(session, meter.id, 'Meanwhile');
  expect((await first).value).toMatchObject({ data: { usageMeterChanged: { name: 'Meanwhile' } } });
  const second = messages.next();
  await rename(session, meter.id, 'Again');
  expect((await second).value).toMatchObject({ data: { usageMeterChanged: { name: 'Again' } } });
  await client.dispose();
});

test.for([undefined, 'nonsense', 'sk_test_unknown_unknown_unknown'])(
  'a WebSocket with the key %s is closed with 4403',
  async (key, { url }) => {
    const client = connect(url, key);
    const closed = new Promise((resolve) => client.on('closed', resolve));
    expect(await closed).toMatchObject({ code: 4403 });
  },
);

test('watching an unknown object is refused with its code, and nothing follows it afterwards', async ({
  url,
  tenant,
  watched,
}) => {
  const client = connect(url, tenant.key);
  const messages = client.iterate({ query: changed, variables: { id: 'usage_meter_unknown' } });
  expect((await messages.next()).value).toMatchObject({
    errors: [{ extensions: { code: 'NOT_FOUND' } }],
  });
  expect(watched).not.toContain('usage_meter_unknown');
  await client.dispose();
});

test('queries, mutations and refused documents work over WebSocket as over HTTP', async ({
  url,
  tenant,
}) => {
  const client = connect(url, tenant.key);
  const ask = async (query: string) => (await client.iterate({ query }).next()).value;
  const create =
    'mutation { createResource(resource: { name: "Seats", slug: "seats" }) { resource { slug } } }';
  const planned = client.iterate({ query: create, extensions: { dryRun: true } });
  expect((await planned.next()).value).toMatchObject({
    data: { createResource: { resource: { slug: 'seats' } } },
    extensions: { effects: { events: [{ type: 'resource.created' }] } },
  });
  expect(await ask(create)).toEqual({ data: { createResource: { resource: { slug: 'seats' } } } });
  expect(await ask(create)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  expect(await ask('{ resources { totalCount } }')).toEqual({
    data: { resources: { totalCount: 1 } },
  });
  await expect(ask('{ nothing }')).rejects.toMatchObject([
    { message: expect.stringContaining('nothing') },
  ]);
  await client.dispose();
});

test('an operation that is refused leaves the others on its WebSocket alone', async ({
  url,
  tenant,
  session,
  watched,
}) => {
  const meter = await aUsageMeter(session);
  const client = connect(url, tenant.key);
  const messages = client.iterate({ query: changed, variables: { id: meter.id } });
  const first = messages.next();
  await watching(watched, meter.id);
  for (const query of ['{ oops', `{ ${'__typename '.repeat(2_100)} }`, '{ nothing }']) {
    await expect(client.iterate({ query }).next()).rejects.toMatchObject([{}]);
  }
  await rename(session, meter.id, 'Still here');
  expect((await first).value).toMatchObject({
    data: { usageMeterChanged: { name: 'Still here' } },
  });
  await client.dispose();
});

test('a WebSocket message of more than 1 MiB closes the connection and nothing else', async ({
  url,
  tenant,
}) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { pad: 'x'.repeat(1_100_000) } }));
  expect(await closed).toBe(1009);
  const client = connect(url, tenant.key);
  expect((await client.iterate({ query: '{ __typename }' }).next()).value).toEqual({
    data: { __typename: 'Query' },
  });
  await client.dispose();
});
