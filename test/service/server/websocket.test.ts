import { once } from 'node:events';
import { expect, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '#server/database/database.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { test } from '../../support/test.ts';

test('a socket whose key cannot be looked up closes with 1013, so that its client tries again, and then gets in', async ({
  database: { databaseUrl },
  hub,
  tenant,
}) => {
  const proxy = await startProxy(databaseUrl);
  const orm = await connect({
    databaseUrl: proxy.databaseUrl,
    poolSize: 2,
    statementTimeoutSeconds: 5,
  });
  const gateway = createGateway({
    orm,
    hub,
    logger: createLogger('silent'),
    production: true,
    operationTimeLimitSeconds: 5,
  });
  const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    proxy.cut();
    await orm.close(true);
    await proxy[Symbol.asyncDispose]();
  });
  const open = async (authorization: string) => {
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    );
    await once(socket, 'open');
    const ended = once(socket, 'close').then(([code, reason]) => [code, String(reason)]);
    const answered = once(socket, 'message').then(([data]) => JSON.parse(String(data)));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    const [result] = await Promise.all([Promise.race([ended, answered])]);
    socket.terminate();
    return result;
  };

  proxy.leadTo('postgresql://127.0.0.1:1/none');
  proxy.cut();
  expect(await open(tenant.key)).toEqual([1013, expect.stringMatching(/database/i)]);
  proxy.leadTo(databaseUrl);
  await expect.poll(() => open(tenant.key)).toEqual({ type: 'connection_ack' });
  // A key that is refused is not worth another try.
  expect(await open('sk_test_unknown_key_unknown_key')).toEqual([
    4403,
    'The API key is unknown, revoked or expired',
  ]);
});

test('a socket whose first message is read after seconds of load gets in', async ({
  gateway,
  hub,
  tenant,
}) => {
  const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  onTestFinished(() => server[Symbol.asyncDispose]());
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = `${server.url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(url, 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  vi.advanceTimersByTime(20_000);
  const answered = Promise.race([once(socket, 'message'), once(socket, 'close')]);
  const payload = { authorization: tenant.key };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  const [first] = await answered;
  expect(String(first)).toBe('{"type":"connection_ack"}');
});
