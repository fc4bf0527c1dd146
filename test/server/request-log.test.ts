import { pino } from 'pino';
import { expect } from 'vitest';
import { openEventHub } from '#server/event-hub.ts';
import { createLogger } from '#server/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { test } from '../support/test.ts';

test('a slow request leaves a warning that says how much of its time the database took', async ({
  database: { orm, databaseUrl },
  tenant,
}) => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using hub = await openEventHub(orm, databaseUrl, createLogger('silent'));
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const serve = (slowRequestMilliseconds: number) =>
    startServer(
      createGateway({ ...parts, slowRequestMilliseconds }),
      { host: '127.0.0.1', port: 0 },
      hub,
    );
  const authorization = `Bearer ${tenant.key}`;
  const request = async (url: string) =>
    (await fetch(`${url}/api/v1/products`, { headers: { authorization } })).status;

  await using slow = await serve(0);
  expect(await request(slow.url)).toBe(200);
  await expect.poll(() => lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '');
  expect(line).toMatchObject({ msg: 'Slow request', method: 'GET', path: '/api/v1/products' });
  expect(line.statements).toBeGreaterThan(0);
  expect(line.databaseMilliseconds).toBeGreaterThan(0);
  expect(line.databaseMilliseconds).toBeLessThanOrEqual(line.milliseconds * line.statements);

  await using quick = await serve(60_000);
  expect(await request(quick.url)).toBe(200);
  expect(lines).toHaveLength(1);
});
