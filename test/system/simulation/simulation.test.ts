import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFailed, onTestFinished } from 'vitest';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { seed as usualSeed } from '../../support/effort.ts';
import { fresh } from '../../support/factories.ts';
import { expectLedgersToAgree } from '../../support/ledger.ts';
import { movableTime } from '../../support/live/database-time.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { type Running, startService } from '../../support/process.ts';
import { type Random, randomOf } from '../../support/random.ts';
import { aDiskOfTables, noDiskReason } from '../../support/servers/small-disk.ts';
import { aTenant, type Tenant } from '../../support/tenant.ts';
import { systemTest as test } from '../../support/test.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts';
import { faults } from '../faults/faults.ts';
import { follow } from '../faults/follower.ts';
import {
  expectFeedToBeWhole,
  expectInstantsToGoOn,
  expectOpenStatesToBeDue,
} from '../faults/invariants.ts';
import { type Actor, live } from './actor.ts';
import { expectComparedBooks } from './books.ts';
import { aCatalog } from './catalog.ts';
import { graphClient } from './client.ts';
import { Clocks } from './clocks.ts';
import { connectStripe, deliverNotices, openStripe, stripeFaults } from './stripe.ts';

/** `npm run simulate -- --seed 7 --seconds 3600` sets both. */
// biome-ignore lint/style/noProcessEnv: a longer run is asked for by name
const { SIMULATION_SECONDS = '30', SIMULATION_SEED = String(usualSeed) } = process.env;
const seconds = Number(SIMULATION_SECONDS);
const seed = Number(SIMULATION_SEED);

/** Actors of the sandbox, actors with cards at the connected processor, and actors of the sandbox without a clock. */
const actorCounts = { sandbox: 4, stripe: 3, present: 2 };
const firstSeeds = { sandbox: 100, stripe: 200, present: 300 };
const processCount = 2;
/** Minor units for a unit of usage; the processor refuses to charge less than 50. */
const usagePrices = { sandbox: 2, stripe: 60 };
/** The tables on the disk that is full at times. */
const tablesOnDisk = ['customer', 'event', 'idempotency_key', 'invoice', 'payment', 'usage_hour'];

/** Whether the organization of the connected processor ends subscriptions that stay unpaid. */
const endsUnpaid = seed % 2 === 1;

const withoutDisk = await noDiskReason();
if (withoutDisk) process.stdout.write(`The simulation has no full disk: ${withoutDisk}\n`);

test(`${seconds} s of faults of the network, the database, the disk, the clocks and the processor: each answer is that of an independent model of money, seats and usage (seed ${seed})`, {
  // The faults, then what they have left behind, on a busy machine.
  tags: ['smoke'],
  timeout: (seconds + 300) * 1_000,
}, async ({ database, tenant, session }) => {
  process.stdout.write(`simulation seed ${seed}\n`);
  const { databaseUrl } = database;
  const payer = await aTenant(database.orm.em);
  const catalogs = {
    sandbox: await aCatalog(session, usagePrices.sandbox),
    stripe: await aCatalog(payer.session, usagePrices.stripe, endsUnpaid),
  };
  await updateOrganization(fresh(payer.session), {
    organization: { dunningFinalAction: endsUnpaid ? 'cancel' : 'unpaid' },
  });
  const observer = await connectTo(databaseUrl);
  const storm = randomOf(seed);
  const time = await movableTime(databaseUrl);
  onTestFinished(() => time[Symbol.asyncDispose]());
  const disk = withoutDisk ? undefined : await aDiskOfTables(databaseUrl, tablesOnDisk);
  if (disk) onTestFinished(() => disk[Symbol.asyncDispose]());
  const proxies = await Promise.all(
    Array.from({ length: processCount }, () => openDatabaseProxy(databaseUrl)),
  );
  for (const proxy of proxies) onTestFinished(() => proxy[Symbol.asyncDispose]());
  const stripe = await openStripe(processCount);
  onTestFinished(() => stripe[Symbol.asyncDispose]());
  const start = (place: number) =>
    startProcess(proxies[place] as DatabaseProxy, stripe.networks[place] as DatabaseProxy, storm);
  const services = await Promise.all(proxies.map((_, place) => start(place)));
  const clocks = new Clocks(time, () => services, storm);
  onTestFailed(() => services.forEach(showErrors));

  const faulting = new AbortController();
  const following = new AbortController();
  onTestFinished(() => following.abort());
  const someone = randomOf(seed + 1);
  const address = () => someone.one(services).url;
  const followers = [tenant, payer].map(({ key, session }) =>
    follow(address, key, session.pricingModelId, following.signal),
  );
  await connectStripe(graphClient(address, payer.key, faulting.signal));
  const noticing = deliverNotices({
    fake: stripe.fake,
    organizationId: payer.session.organizationId,
    address,
    random: randomOf(seed + 2),
    stop: following.signal,
    clocks,
  });
  let answers = 0;
  const actorsOf = (
    kind: keyof typeof actorCounts,
    { key }: Tenant,
    cards?: Actor['cards'],
  ): Promise<number>[] =>
    Array.from({ length: actorCounts[kind] }, (_, place) =>
      live({
        name: `${kind}-${place}`,
        random: randomOf(seed + firstSeeds[kind] + place),
        ask: graphClient(address, key, faulting.signal),
        catalog: cards ? catalogs.stripe : catalogs.sandbox,
        ...(cards && { cards }),
        atPresent: kind === 'present',
        stop: faulting.signal,
        clocks,
        onAnswer: () => {
          answers += 1;
        },
      }),
    );
  const broken = (reason: unknown) => {
    faulting.abort();
    throw reason;
  };
  const actors = [
    ...actorsOf('sandbox', tenant),
    ...actorsOf('present', tenant),
    ...actorsOf('stripe', payer, stripe.cards),
  ];
  const injecting = injectFaults().finally(async () => {
    await clocks.pass();
    faulting.abort();
  });
  const [told, ...lives] = await Promise.all([
    injecting,
    ...actors.map((actor) => actor.catch(broken)),
  ]);

  await expectOpenStatesToBeDue(observer);
  await expectMoneyToAgree(fresh(session));
  await expectComparedBooks(payer.session, stripe.fake.test, clocks);
  for (const { session } of [tenant, payer]) await expectLedgersToAgree(fresh(session));
  for (const follower of followers) await expectFeedToBeWhole(observer, follower);
  await expectInstantsToGoOn(observer);
  following.abort();
  const count = lives.reduce((sum, one) => sum + one, 0);
  const disputes = stripe.fake.test.all('du').length;
  const pages = stripe.fake.test.all('cs').filter(({ mode }) => mode === 'payment').length;
  process.stdout.write(
    `${told.length} faults, ${answers} comparisons in ${count} lives, ${stripe.fake.seen.length} requests to the processor, ${disputes} disputes, ${pages} pages, ${await noticing} of its notices, ${followers.reduce((sum, { sequences }) => sum + sequences.length, 0)} events\n`,
  );

  async function injectFaults() {
    const outsider = await connectTo(databaseUrl);
    const told: string[] = [];
    const end = performance.now() + seconds * 1_000;
    const name = new URL(databaseUrl).pathname.slice(1);
    const { fake, networks } = stripe;
    const targets = { proxies, services: () => services, restart, outsider, database: name };
    const all: Readonly<Record<string, () => Promise<unknown>>> = {
      ...bound(faults, { ...targets, random: storm }),
      ...bound(stripeFaults, { fake, networks, random: storm }),
      ...clocks.faults,
      ...(disk && {
        'the disk is full': async () => {
          await disk.fill();
          await sleep(storm.whole(200, 2_000));
          await disk.clear();
        },
      }),
    };
    while (performance.now() < end && !faulting.signal.aborted) {
      await sleep(storm.whole(100, 1_500));
      const fault = storm.one(Object.keys(all));
      told.push(fault);
      await all[fault]?.();
    }
    return told;
  }

  /** The new process shows another time than the old one did. */
  async function restart(place: number) {
    services[place]?.kill('SIGKILL');
    await services[place]?.ended();
    services[place] = await start(place);
  }
});

/** Faults by name, with their targets. */
const bound = <T>(
  faults: Readonly<Record<string, (targets: T) => Promise<unknown>>>,
  targets: T,
): Record<string, () => Promise<unknown>> =>
  Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, () => fault(targets)]));

const startProcess = (
  { databaseUrl }: DatabaseProxy,
  network: DatabaseProxy,
  random: Random,
): Promise<Running> => {
  const skew = random.whole(-600_000, 600_000);
  const clock = new URL(`../faults/skewed-clock.ts?milliseconds=${skew}&steered`, import.meta.url);
  return startService({
    DATABASE_URL: databaseUrl,
    STRIPE_API_BASE: new URL(network.databaseUrl).origin,
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
