import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aProduct } from '../../../support/factories.ts';
import { aSignedIn, Browser } from '../../../support/operators.ts';
import { test as base } from '../../../support/test.ts';

const test = base.extend('server', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
  const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  onCleanup(() => server[Symbol.asyncDispose]());
  return server;
});

interface Opening {
  readonly url: string;
  readonly cookie: string;
  readonly params: object;
  readonly origin?: string;
}

/** Opens a socket as a browser does, with its cookie; returns it with the first message or the code of its end. */
async function openSocket({ url, cookie, params, origin = url }: Opening) {
  const address = `${url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws', { headers: { cookie, origin } });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const ended = once(socket, 'close').then(([code]) => code as number);
  const answered = once(socket, 'message').then(
    ([data]) => JSON.parse(String(data)).type as string,
  );
  socket.send(JSON.stringify({ type: 'connection_init', payload: params }));
  return { socket, ended, first: await Promise.race([ended, answered]) };
}

test('a socket with the cookie needs the token against CSRF and an origin of this service', async ({
  gateway,
  database,
  session,
  server: { url },
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  const { cookie, csrfToken: csrf } = browser;
  const first = async (opening: Partial<Opening>) =>
    (await openSocket({ url, cookie, params: { csrf }, ...opening })).first;
  expect(await first({})).toBe('connection_ack');
  expect(await first({ params: { 'tollgate-csrf': csrf } })).toBe('connection_ack');
  expect(await first({ params: {} })).toBe(4403);
  expect(await first({ params: { csrf: 'wrong' } })).toBe(4403);
  expect(await first({ origin: 'https://evil.example' })).toBe(4403);
  expect(await first({ cookie: '' })).toBe(4403);
  const { socket } = await openSocket({ url, cookie, params: { csrf, livemode: true } });
  const payload = { query: '{ viewer { livemode pricingModel { id } } }' };
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
  const [data] = await once(socket, 'message');
  expect(JSON.parse(String(data)).payload.data.viewer).toEqual({
    livemode: true,
    pricingModel: null,
  });
});

test('the end of a session closes its sockets and streams, also those of another process', async ({
  gateway,
  database,
  session,
  server: { url },
}) => {
  const { orm, databaseUrl } = database;
  await using hub = await openEventHub(orm, databaseUrl, createLogger('silent'));
  const parts = {
    logger: createLogger('silent'),
    production: false,
    operationTimeLimitSeconds: 30,
  };
  const other = createGateway({ orm, hub, ...parts });
  await using second = await startServer(other, { host: '127.0.0.1', port: 0 }, hub);

  const owner = await aSignedIn(gateway, orm, session.organizationId);
  const browser = await aSignedIn(gateway, orm, session.organizationId, 'support');
  const kept = new Browser(gateway);
  await kept.signIn(browser.email);
  const params = { csrf: browser.csrfToken };
  const sockets = await Promise.all(
    [url, second.url].map((url) => openSocket({ url, cookie: browser.cookie, params })),
  );
  const untouched = await openSocket({
    url,
    cookie: kept.cookie,
    params: { csrf: kept.csrfToken },
  });
  expect(sockets.map(({ first }) => first)).toEqual(['connection_ack', 'connection_ack']);
  const payload = { query: 'subscription { events(types: ["product.created"]) { type } }' };
  const [socket] = sockets;
  socket?.socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
  const stream = await browser.fetch('/graphql', {
    method: 'POST',
    headers: {
      'tollgate-csrf': browser.csrfToken,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(payload),
  });
  const text = stream.text();
  await aProduct(session);
  const [event] = await once(socket?.socket as WebSocket, 'message');
  expect(JSON.parse(String(event)).payload.data.events.type).toBe('product.created');

  const { data } = await owner.graphql(
    'query($id: ID!) { operatorSessions(operator: $id) { id method } }',
    { id: browser.operatorId },
  );
  const revoked = data.operatorSessions.find(
    ({ method }: { method: string }) => method === 'invitation',
  );
  await owner.graphql(
    'mutation($id: ID!) { revokeOperatorSession(id: $id) { operatorSession { id } } }',
    revoked,
  );
  expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4403, 4403]);
  expect(await text).toContain('UNAUTHORIZED');
  expect(untouched.socket.readyState).toBe(WebSocket.OPEN);
  await owner.graphql(
    'mutation($id: ID!) { updateOperator(id: $id, operator: { active: false }) { operator { id } } }',
    {
      id: browser.operatorId,
    },
  );
  expect(await untouched.ended).toBe(4403);
});
