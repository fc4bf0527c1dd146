import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { preparedUrl } from './support/database.ts';
import { dataFolder, type Running, startService } from './support/process.ts';
import { templateKey } from './support/secrets.ts';

const clients = 6;
/** Calls that store their events and are answered before these are counted. */
const accepted = { prefer: 'respond-async' };
/** How many events each client has to have acknowledged before, and after, something is killed. */
const rounds = 25;

describe('a client that numbers its events and sends each until it is acknowledged', () => {
  test('SIGKILL of the process: each is there exactly once, and the balance is exact', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'off' };
    const service = await startService(settings);
    await expectExactlyOnce(service, async () => {
      service.kill('SIGKILL');
      await service.ended();
      return startService(settings);
    });
  });

  test('SIGKILL of PostgreSQL: each is there exactly once, and the balance is exact', async () => {
    const DATA_DIR = await dataFolder();
    const settings = { BOOTSTRAP_SECRET_KEY: templateKey, DATA_DIR, CRON: 'off' };
    const service = await startService(settings);
    await expectExactlyOnce(service, async () => {
      process.kill(await serverPid(DATA_DIR), 'SIGKILL');
      await service.ended();
      return startService(settings);
    });
  });
});

describe('a client whose usage is accepted before it is counted', () => {
  test('SIGKILL of the process that accepts: each accepted event counts once', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'off' };
    await startService({ ...settings, CRON: 'on' });
    const service = await startService(settings);
    const interrupt = async () => {
      service.kill('SIGKILL');
      await service.ended();
      return startService(settings);
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });

  test('SIGKILL of the process that counts: each accepted event counts once', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'on' };
    const service = await startService({ ...settings, CRON: 'off' });
    const interrupt = async () => {
      const writer = await startService(settings);
      await isCounting(settings.DATABASE_URL);
      writer.kill('SIGKILL');
      await writer.ended();
      return service;
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });

  test('SIGKILL of PostgreSQL: each accepted event counts once', async () => {
    const DATA_DIR = await dataFolder();
    const settings = { BOOTSTRAP_SECRET_KEY: templateKey, DATA_DIR, CRON: 'on' };
    const service = await startService(settings);
    const interrupt = async () => {
      process.kill(await serverPid(DATA_DIR), 'SIGKILL');
      await service.ended();
      return startService(settings);
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });
});

/** Waits until a process has a lease that is new: it counts now. */
async function isCounting(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const fresh = `select from usage_event_inbox_lease where until > now() + interval '14 seconds'`;
  while ((await client.query(fresh)).rowCount === 0) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await client.end();
}

/** Sends events while `interrupt` kills something and answers the service that continues. */
async function expectExactlyOnce(
  first: Running,
  interrupt: () => Promise<Running>,
  headers: Record<string, string> = {},
) {
  const done = 'prefer' in headers ? 202 : 200;
  const { externalId, event } = await aUser(first);
  let service = first;
  const acknowledged = new Map<string, number>();
  let unanswered = 0;
  const halfway = Promise.withResolvers<void>();
  let resumed = false;

  /** Single events and bulk calls by turns; what is not acknowledged is sent again as it was. */
  async function client(name: number) {
    for (let round = 0, last = Number.POSITIVE_INFINITY; round < last; round++) {
      const events = Array.from({ length: round % 3 === 0 ? 1 : 5 }, (_, place) => ({
        ...event,
        transactionId: `${name}-${round}-${place}`,
        amount: 1 + ((name + round + place) % 7),
      }));
      const [path, body] =
        events.length === 1
          ? ['/usage-events', { usageEvent: events[0] }]
          : ['/usage-events/bulk', { usageEvents: events }];
      while (!(await isAcknowledged(path as string, body))) unanswered += 1;
      for (const { transactionId, amount } of events) acknowledged.set(transactionId, amount);
      if (acknowledged.size > clients * rounds) halfway.resolve();
      if (resumed && last === Number.POSITIVE_INFINITY) last = round + rounds / 5;
    }
  }
  async function isAcknowledged(path: string, body: unknown) {
    const answer = await send(service, path, body, headers).catch(() => undefined);
    if (answer) expect([done, 500, 503]).toContain(answer.status);
    // A short breath, so that who is down is not asked thousands of times.
    if (answer?.status !== done) await new Promise((resolve) => setTimeout(resolve, 10));
    return answer?.status === done;
  }

  const sending = Array.from({ length: clients }, (_, name) => client(name));
  await Promise.race([halfway.promise, Promise.all(sending)]);
  service = await interrupt();
  resumed = true;
  await Promise.all(sending);

  if (service !== first) expect(unanswered).toBeGreaterThan(0);
  const stored = await storedBy(service);
  expect(stored.size).toBe(acknowledged.size);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(acknowledged));
  const sum = [...acknowledged.values()].reduce((sum, amount) => sum + amount, 0);
  const balances = await send(service, `/customers/${externalId}/usage-balances`);
  expect(balances.body.usageMeterBalances).toMatchObject([{ availableBalance: -sum }]);
}

/** All stored events: their amounts by their transaction ids, each of which must come up once. */
async function storedBy(service: Running): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const { body } = await send(service, `/usage-events?limit=100${cursor}`);
    for (const { transactionId, amount } of body.data) {
      expect(stored.has(transactionId)).toBe(false);
      stored.set(transactionId, amount);
    }
    expect(body.total).toBeGreaterThanOrEqual(stored.size);
    if (!body.hasMore) return stored;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

async function aUser(service: Running) {
  const customer = { externalId: 'ada', email: 'ada@example.com', name: 'Ada' };
  const created = (await send(service, '/customers', { customer })).body;
  const { id: customerId } = created.data?.customer ?? created.customer;
  await send(service, '/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', slug: 'pro' },
  });
  const answer = await send(service, '/subscriptions', {
    customerId,
    priceSlug: 'pro',
    doNotCharge: true,
  });
  await send(service, '/usage-meters', { usageMeter: { name: 'API calls', slug: 'calls' } });
  const event = { subscriptionId: answer.body.subscription.id, usageMeterSlug: 'calls' };
  return { externalId: customer.externalId, event };
}

const serverPid = async (dataDir: string) =>
  Number.parseInt(await fs.readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

async function send(
  { url }: Running,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${templateKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
