import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { expect, test } from 'vitest';
import { preparedUrl } from '../support/database.ts';
import { aReceiver, type Received } from '../support/outside/receiver.ts';
import {
  dataFolder,
  type Running,
  type Settings,
  spawnProgram,
  startService,
} from '../support/process.ts';
import { templateKey } from '../support/secrets.ts';

const open: Settings = { BOOTSTRAP_SECRET_KEY: templateKey, WEBHOOK_ALLOW_PRIVATE: 'true' };

test('after SIGKILL between request and answer the next process sends it again, and all that waited; after SIGTERM a request on its way has its answer, which is written down', async () => {
  const DATABASE_URL = await preparedUrl();
  const killed = await startService({ ...open, DATABASE_URL });
  let holding = true;
  const unanswered: ServerResponse[] = [];
  const receiver = await aReceiver((response) => {
    if (holding) unanswered.push(response);
    else response.end();
  });
  await aHook(killed, receiver.url);
  const first = await aResource(killed, 'first');
  const [claimed] = await receiver.until(1);
  await rename(killed, first, 'Behind the first');
  const second = await aResource(killed, 'second');
  await receiver.until(2);
  await rename(killed, second, 'Behind the second');
  const database = await connectTo(DATABASE_URL);
  await eventually(() => statuses(database)).toEqual(Array(4).fill('pending'));
  killed.kill('SIGKILL');
  await killed.ended();
  // A claim lasts 30 seconds, and a slow machine may need as long for the next start.
  await database.query(
    `update webhook_delivery set claimed_until = now() + interval '1 hour' where claimed_until is not null`,
  );
  await database.end();

  holding = false;
  const next = await startService({ ...open, DATABASE_URL });
  const again = await connectTo(DATABASE_URL);
  // A claim of another process is respected until it has expired.
  const third = await aResource(next, 'third');
  await eventually(() => receiver.received.map(objectOf)).toContain(third);
  expect(receiver.received).toHaveLength(3);
  await again.query(
    `update webhook_delivery set claimed_until = now() - interval '1 second' where claimed_until is not null`,
  );
  await eventually(() => statuses(again)).toEqual(Array(5).fill('delivered'));
  const sent = receiver.received.filter((one) => objectOf(one) === first);
  expect(sent.map(nameOf)).toEqual(['Seats', 'Seats', 'Behind the first']);
  expect(sent.map(idOf).slice(0, 2)).toEqual([idOf(claimed), idOf(claimed)]);
  expect(receiver.received.filter((one) => objectOf(one) === second).map(nameOf)).toEqual([
    'Seats',
    'Seats',
    'Behind the second',
  ]);
  expect(new Set(receiver.received.map(idOf)).size).toBe(5);

  const before = receiver.received.length;
  holding = true;
  await rename(next, third, 'On its way');
  await rename(next, third, 'Behind it');
  await receiver.until(before + 1);
  await eventually(async () => (await statuses(again)).length).toBe(7);
  next.kill('SIGTERM');
  await eventually(next.stdout).toContain('Stopping');
  for (const response of unanswered) response.end();
  expect(await next.ended()).toMatchObject({ code: 0, stderr: '' });
  expect((await statuses(again)).slice(5)).toEqual(['delivered', 'pending']);
  await again.end();
  expect(receiver.received).toHaveLength(before + 1);
});

test('with two processes at work an endpoint gets every event once, each object’s in their order, also what is changed through a process with CRON=off', async () => {
  const DATABASE_URL = await preparedUrl();
  const quiet = await startService({ ...open, DATABASE_URL, CRON: 'off' });
  const receiver = await aReceiver();
  await aHook(quiet, receiver.url);
  const early = await aResource(quiet, 'before');
  const database = await connectTo(DATABASE_URL);
  // Written down by the process that does not send it.
  await eventually(() => statuses(database)).toEqual(['pending']);
  expect(receiver.received).toEqual([]);
  const services = await Promise.all([1, 2].map(() => startService({ ...open, DATABASE_URL })));
  const [one, two] = services as [Running, Running];
  await eventually(() => statuses(database)).toEqual(['delivered']);
  await rename(quiet, early, 'Through the quiet one');
  await rename(one, early, 'Through an active one');
  await eventually(() => receiver.received.map(nameOf)).toEqual([
    'Seats',
    'Through the quiet one',
    'Through an active one',
  ]);
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, place) => aResource(place % 2 ? one : two, `seats-${place}`)),
  );
  const rounds = 20;
  for (let round = 1; round <= rounds; round++) {
    // Every object is changed through both processes by turns.
    await Promise.all(
      ids.map((id, place) => rename((place + round) % 2 ? one : two, id, `${round}`)),
    );
  }
  const total = 3 + ids.length * (rounds + 1);
  await eventually(() => statuses(database)).toEqual(Array(total).fill('delivered'));
  const { rows } = await database.query(
    'select jsonb_array_length(attempts) as made from webhook_delivery',
  );
  await database.end();
  expect(new Set(rows.map(({ made }) => made))).toEqual(new Set([1]));
  expect(receiver.received).toHaveLength(total);
  expect(new Set(receiver.received.map(idOf)).size).toBe(total);
  const names = ['Seats', ...Array.from({ length: rounds }, (_, round) => `${round + 1}`)];
  for (const id of ids) {
    const sent = receiver.received.filter((one) => objectOf(one) === id);
    expect(sent.map(nameOf)).toEqual(names);
  }
});

test('`npm run cron` alone delivers for a service with CRON=off, ends at SIGTERM with 0, and sends nothing to the machine itself without WEBHOOK_ALLOW_PRIVATE', async () => {
  const DATA_DIR = await dataFolder();
  const service = await startService({ ...open, DATA_DIR, CRON: 'off' });
  const receiver = await aReceiver();
  const direct = await aHook(service, receiver.url);
  const named = await aHook(service, receiver.url.replace('127.0.0.1', 'localhost'));
  await aResource(service, 'refused');
  const careful = await startCron({ DATA_DIR });
  const reasons = (webhookId: string) =>
    eventually(async () => {
      const { data } = await send(service, 'GET', `/webhooks/${webhookId}/deliveries`);
      return data.map(({ attempts }: Delivery) => attempts[0]?.error);
    });
  await reasons(direct).toEqual(['127.0.0.1 is not a public address']);
  await reasons(named).toEqual(['localhost is not a public address']);
  expect(receiver.received).toEqual([]);
  careful.kill('SIGTERM');
  expect(await careful.ended()).toMatchObject({ code: 0, stderr: '' });

  for (const id of [direct, named]) {
    await send(service, 'PUT', `/webhooks/${id}`, { webhook: { active: false } });
  }
  await startCron({ ...open, DATA_DIR });
  await aHook(service, receiver.url);
  const id = await aResource(service, 'seats');
  await rename(service, id, 'Renamed');
  await eventually(() => receiver.received.map(nameOf)).toEqual(['Seats', 'Renamed']);
});

interface Delivery {
  readonly attempts: readonly { readonly error: string | null }[];
}

/** Waits for a condition, also on a machine that is busy. */
function eventually<T>(value: () => T) {
  return expect.poll(value);
}

const bodyOf = ({ body }: Received) => JSON.parse(body);
const objectOf = (received: Received): string => bodyOf(received).objectId;
const nameOf = (received: Received): string => bodyOf(received).data.name;
const idOf = (received: Received | undefined) => received?.headers['webhook-id'];

async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The outcome of each delivery. */
async function statuses(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query('select status from webhook_delivery order by sequence');
  return rows.map(({ status }) => status);
}

/** Starts the scheduled jobs alone and waits until they run. */
async function startCron(settings: Settings) {
  const cron = spawnProgram(['src/main.ts', 'cron'], settings);
  await eventually(cron.stdout).toContain('Running the scheduled jobs');
  return cron;
}

async function send({ url }: Running, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** Registers an endpoint for what happens to resources; answers its id. */
async function aHook(service: Running, url: string): Promise<string> {
  const filterTypes = ['resource.created', 'resource.updated'];
  const webhook = { name: 'Hook', url, filterTypes };
  return (await send(service, 'POST', '/webhooks', { webhook })).webhook.id;
}

async function aResource(service: Running, slug: string): Promise<string> {
  const resource = { name: 'Seats', slug };
  return (await send(service, 'POST', '/resources', { resource })).resource.id;
}

const rename = (service: Running, id: string, name: string) =>
  send(service, 'PUT', `/resources/${id}`, { resource: { name } });
