import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { seed as usualSeed } from '../../support/effort.ts';
import { aWebhook, fresh } from '../../support/factories.ts';
import { expectLedgersToAgree } from '../../support/ledger.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { aReceiver } from '../../support/outside/receiver.ts';
import { type Running, startService } from '../../support/process.ts';
import { type Random, randomOf } from '../../support/random.ts';
import { systemTest as test } from '../../support/test.ts';
import { callerOf } from './caller.ts';
import { buy, fightForSeats, newKnowledge, reportUsage, type World } from './clients.ts';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { faults } from './faults.ts';
import { follow } from './follower.ts';
import {
  expectDeliveries,
  expectFeedToBeWhole,
  expectOpenStatesToBeDue,
  expectPurchases,
  expectUsage,
  seatsTaken,
} from './invariants.ts';
import { aWorld } from './world.ts';

/** How long faults are injected, and from which seed: `FAULTS_SECONDS=600 FAULTS_SEED=7 npm test -- test/system/faults`. */
// biome-ignore lint/style/noProcessEnv: a longer run is asked for by name
const { FAULTS_SECONDS = '30', FAULTS_SEED = String(usualSeed) } = process.env;
const seconds = Number(FAULTS_SECONDS);
const seed = Number(FAULTS_SEED);

const capacity = 20;
const poolSize = 10;
/** Each process has its pool, and a few connections of its own for waking up, jobs and checks. */
const mostConnections = poolSize + 10;
/** How far the clocks of the two processes are from that of the machine. */
const skews = [30_000, -30_000];
const delivered = ['resource_claim.created', 'resource_claim.released', 'payment.succeeded'];

test(`${seconds} s of faults under load leave seats, usage, money, feed, deliveries and pools as promised (seed ${seed})`, {
  // The faults, then what they have left behind, on a busy machine.
  tags: ['smoke'],
  timeout: (seconds + 300) * 1_000,
}, async ({ database, tenant, session }) => {
  process.stdout.write(`faults.test.ts seed ${seed}\n`);
  const { databaseUrl } = database;
  const world = await aWorld(session, capacity);
  const receiver = await aReceiver();
  await aWebhookFor(session, receiver.url);
  const observer = await connectTo(databaseUrl);
  const proxies = await Promise.all(skews.map(() => openDatabaseProxy(databaseUrl)));
  for (const proxy of proxies) onTestFinished(() => proxy[Symbol.asyncDispose]());
  const services = await Promise.all(proxies.map(startProcess));

  onTestFailed(() => services.forEach(showErrors));

  const faulting = new AbortController();
  const following = new AbortController();
  onTestFinished(() => following.abort());
  const random = randomOf(seed);
  const someone = randomOf(seed + 1);
  const address = () => someone.one(services).url;
  const acknowledged = newKnowledge();
  const follower = follow(address, tenant.key, session.pricingModelId, following.signal);
  const clients = [fightForSeats, fightForSeats, fightForSeats, reportUsage, reportUsage, buy, buy];
  const working = clients.map((work, place) =>
    work({
      name: `client-${place}`,
      caller: callerOf(address, tenant.key, faulting.signal),
      random: randomOf(seed + 100 + place),
      world,
      acknowledged,
      stop: faulting.signal,
    }),
  );
  const watching = watchSeats(observer, world, faulting.signal);
  // The first broken promise ends the faults, and the test with them.
  const injecting = injectFaults(random).finally(() => faulting.abort());
  const broken = (reason: unknown) => {
    faulting.abort();
    throw reason;
  };
  const [told] = await Promise.all([
    injecting,
    ...[...working, watching].map((work) => work.catch(broken)),
  ]);

  for (const service of services) await expectUsable(service, tenant.key, random);
  for (const proxy of proxies) expect(proxy.openCount()).toBeLessThanOrEqual(mostConnections);
  await expectBackendsToBeBounded(observer, proxies);
  await expectOpenStatesToBeDue(observer);
  await finishCharges(observer);
  await expectPurchases(observer, acknowledged);
  await expectUsage(observer, world, acknowledged);
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
  await expectFeedToBeWhole(observer, follower);
  await expectDeliveries(observer, () => receiver.received.map(deliveryOf));
  process.stdout.write(
    `${told.length} faults, ${acknowledged.answers} answers, ${acknowledged.replays} replays, ` +
      `${acknowledged.usage.size} usage events, ${acknowledged.purchases.size} purchases, ` +
      `${follower.connections()} connections of the follower\n`,
  );

  /** One fault after the other, at random instants, until the time is over. */
  async function injectFaults(random: Random) {
    const outsider = await connectTo(databaseUrl);
    const told: string[] = [];
    const end = performance.now() + seconds * 1_000;
    const name = new URL(databaseUrl).pathname.slice(1);
    while (performance.now() < end && !faulting.signal.aborted) {
      await sleep(random.whole(100, 1_500));
      const fault = random.one(Object.keys(faults));
      told.push(fault);
      await faults[fault]?.({
        proxies,
        services: () => services,
        restart,
        outsider,
        database: name,
        random,
      });
    }
    return told;
  }

  async function restart(place: number) {
    const proxy = proxies[place];
    if (!proxy) return;
    services[place]?.kill('SIGKILL');
    await services[place]?.ended();
    services[place] = await startProcess(proxy, place);
  }
});

const startProcess = ({ databaseUrl }: DatabaseProxy, place: number): Promise<Running> => {
  const clock = new URL(`skewed-clock.ts?milliseconds=${skews[place]}`, import.meta.url);
  return startService({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(poolSize),
    OPERATION_TIME_LIMIT_SECONDS: '4',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_OPTIONS: `--import=${clock}`,
  });
};

/** The last errors in the log of a process, to find out what has failed. */
function showErrors(service: Running) {
  const errors = service
    .stdout()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line));
  for (const line of errors.slice(-8)) process.stdout.write(`${line.slice(0, 2_000)}\n`);
}

const aWebhookFor = (session: Session, url: string) =>
  aWebhook(session, { url, filterTypes: delivered } as object);

const deliveryOf = ({ body }: { body: string }) => {
  const { id, objectId } = JSON.parse(body);
  return { id, objectId };
};

/** Looks at the seats again and again: there are never more than the capacity. */
async function watchSeats(observer: pg.Client, world: World, stop: AbortSignal) {
  for (let most = 0; ; ) {
    const { claimed, reserved } = await seatsTaken(observer, world);
    expect(claimed + reserved, `${claimed} claimed, ${reserved} reserved`).toBeLessThanOrEqual(
      world.capacity,
    );
    most = Math.max(most, claimed + reserved);
    if (stop.aborted) return most;
    await sleep(10);
  }
}

/** A process answers twice as many requests at once as it has connections. A slow machine needs more than one try. */
async function expectUsable({ url }: Running, key: string, random: Random) {
  const ready = async () => (await fetch(`${url}/ready`).catch(() => undefined))?.status;
  await expect.poll(ready, { timeout: 90_000, interval: 100 }).toBe(200);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const atOnce = Array.from({ length: 2 * poolSize });
  const statuses = () =>
    Promise.all(
      atOnce.map(async () => {
        const slug = `after-${random.whole(0, 2 ** 30)}`;
        const body = JSON.stringify({ resource: { name: 'After', slug } });
        const answer = await fetch(`${url}/api/v1/resources`, { method: 'POST', headers, body });
        return answer.status;
      }),
    );
  await expect.poll(statuses, { timeout: 90_000 }).toEqual(atOnce.map(() => 200));
}

/** A backend whose connection was cut ends with its statement; one whose end was swallowed does not count. */
async function expectBackendsToBeBounded(observer: pg.Client, proxies: readonly DatabaseProxy[]) {
  const backends = async () => {
    const { rows } = await observer.query(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name like 'tollgate%' and client_port <> all($1::int[])`,
      [proxies.flatMap((proxy) => proxy.abandonedPorts())],
    );
    return rows[0].n;
  };
  await expect.poll(backends).toBeLessThanOrEqual(skews.length * mostConnections);
}

/** Payments that met a broken connection are looked up by the jobs; here their time comes at once. */
async function finishCharges(observer: pg.Client) {
  const open = async () => {
    await observer.query(
      `update payment set check_due_at = now() - interval '1 minute' where check_due_at is not null`,
    );
    await observer.query(
      `update billing_run set due_at = now() - interval '1 minute' where due_at is not null`,
    );
    const { rows } = await observer.query(
      `select id, status from billing_run where status in ('scheduled', 'started', 'awaiting_payment_confirmation')`,
    );
    return rows;
  };
  // The jobs of both processes come by every minute.
  await expect.poll(open, { timeout: 150_000, interval: 2_000 }).toEqual([]);
}

async function connectTo(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
