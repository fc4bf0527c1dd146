import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFailed, onTestFinished } from 'vitest';
import { createFeature } from '#domain/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts';
import { faults } from '../faults/faults.ts';
import { follow } from '../faults/follower.ts';
import { expectFeedToBeWhole, expectOpenStatesToBeDue } from '../faults/invariants.ts';
import { type Random, randomOf } from '../faults/random.ts';
import { seed as usualSeed } from '../support/effort.ts';
import { aProduct, aResource, aUsageMeter, aUsagePrice, fresh } from '../support/factories.ts';
import { expectLedgersToAgree } from '../support/ledger.ts';
import { expectMoneyToAgree } from '../support/money.ts';
import { type Running, startService } from '../support/process.ts';
import { test } from '../support/test.ts';
import { type Catalog, live } from './actor.ts';
import { graphClient } from './client.ts';
import { seats } from './model.ts';

/** `npm run simulate -- --seed 7 --seconds 3600` sets both. */
// biome-ignore lint/style/noProcessEnv: a longer run is asked for by name
const { SIMULATION_SECONDS = '30', SIMULATION_SEED = String(usualSeed) } = process.env;
const seconds = Number(SIMULATION_SECONDS);
const seed = Number(SIMULATION_SEED);

const actorCount = 6;
const processCount = 2;

test(
  `${seconds} s of faults: each answer is that of an independent model of money, seats and usage (seed ${seed})`,
  async ({ database, tenant, session }) => {
    process.stdout.write(`simulation seed ${seed}\n`);
    const { databaseUrl } = database;
    const catalog = await aCatalog(session);
    const observer = await connectTo(databaseUrl);
    const storm = randomOf(seed);
    const proxies = await Promise.all(
      Array.from({ length: processCount }, () => openDatabaseProxy(databaseUrl)),
    );
    for (const proxy of proxies) onTestFinished(() => proxy[Symbol.asyncDispose]());
    const services = await Promise.all(proxies.map((proxy) => startProcess(proxy, storm)));
    onTestFailed(() => services.forEach(showErrors));

    const faulting = new AbortController();
    const following = new AbortController();
    onTestFinished(() => following.abort());
    const someone = randomOf(seed + 1);
    const address = () => someone.one(services).url;
    const follower = follow(address, tenant.key, session.pricingModelId, following.signal);
    let answers = 0;
    const actors = Array.from({ length: actorCount }, (_, place) =>
      live({
        name: `actor-${place}`,
        random: randomOf(seed + 100 + place),
        ask: graphClient(address, tenant.key, faulting.signal),
        catalog,
        stop: faulting.signal,
        onAnswer: () => {
          answers += 1;
        },
      }),
    );
    const broken = (reason: unknown) => {
      faulting.abort();
      throw reason;
    };
    const injecting = injectFaults().finally(() => faulting.abort());
    const [told, ...lives] = await Promise.all([
      injecting,
      ...actors.map((actor) => actor.catch(broken)),
    ]);

    await expectOpenStatesToBeDue(observer);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
    await expectFeedToBeWhole(observer, follower);
    const count = lives.reduce((sum, one) => sum + one, 0);
    process.stdout.write(
      `${told.length} faults, ${answers} comparisons in ${count} lives, ${follower.sequences.length} events\n`,
    );

    async function injectFaults() {
      const outsider = await connectTo(databaseUrl);
      const told: string[] = [];
      const end = performance.now() + seconds * 1_000;
      const name = new URL(databaseUrl).pathname.slice(1);
      while (performance.now() < end && !faulting.signal.aborted) {
        await sleep(storm.whole(100, 1_500));
        const fault = storm.one(Object.keys(faults));
        told.push(fault);
        await faults[fault]?.({
          proxies,
          services: () => services,
          restart,
          outsider,
          database: name,
          random: storm,
        });
      }
      return told;
    }

    /** The clock of the new process shows another time than that of the old one. */
    async function restart(place: number) {
      const proxy = proxies[place];
      if (!proxy) return;
      services[place]?.kill('SIGKILL');
      await services[place]?.ended();
      services[place] = await startProcess(proxy, storm);
    }
  },
  // The faults, then what they have left behind, on a busy machine.
  (seconds + 300) * 1_000,
);

/** Two plans with the same seats, and a meter with a price. */
async function aCatalog(session: Session): Promise<Catalog> {
  const resource = await aResource(session);
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Who may work',
      slug: `${resource.slug}-feature`,
      amount: seats,
      resourceId: resource.id,
    },
  });
  const plans = [
    { slug: 'simulated-small', price: 1_000 },
    { slug: 'simulated-large', price: 4_500 },
  ] as const;
  for (const { slug, price } of plans) {
    await aProduct(session, { slug, featureIds: [feature.id], price: { slug, unitPrice: price } });
  }
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id, { slug: 'simulated-calls', isDefault: true });
  return { plans, resourceSlug: resource.slug, usageMeterSlug: meter.slug };
}

const startProcess = ({ databaseUrl }: DatabaseProxy, random: Random): Promise<Running> => {
  const skew = random.whole(-600_000, 600_000);
  const clock = new URL(`../faults/skewed-clock.ts?milliseconds=${skew}`, import.meta.url);
  return startService({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    OPERATION_TIME_LIMIT_SECONDS: '4',
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

async function connectTo(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
