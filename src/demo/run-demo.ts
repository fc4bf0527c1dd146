import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/present.ts';
import { advanceTestClock } from '#domain/test-clocks/advance-test-clock.ts';
import { sessionFor } from '#server/keys-commands.ts';
import { openToolDatabase } from '#server/tool-database.ts';
import type { DemoRequest } from './arguments.ts';
import { arrive } from './arrive.ts';
import { decide, useApi } from './live-through.ts';
import { makeDemo } from './make-demo.ts';
import { removeDemo } from './remove-demo.ts';
import { sessionOf, type World } from './world.ts';

const poolSize = 6;
/** The pauses of the business while it goes on. */
const tickMilliseconds = 2_000;
const ticksPerCustomer = 15;
const ticksPerDecision = 5;

/** Runs a command of `npm run demo`, also while a process of the service runs on the same database. */
export async function runDemo(
  request: Exclude<DemoRequest, { command: 'help' }>,
  config: Config,
  stop: AbortSignal,
) {
  await using opened = new AsyncDisposableStack();
  const preparation = {
    credential: config.bootstrapSecretKey,
    now: new Date(),
    currency: config.bootstrapCurrency,
    withoutKey: true,
    poolSize,
  };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const em = orm.em.fork();
  const now = await presentOf(em);
  const place = await placeOf(em, now);
  if (request.command === 'remove') {
    await removeDemo(em, place, now);
    process.stderr.write('The demo is removed\n');
    return;
  }
  const began = performance.now();
  const { world, token } = await makeDemo(em, place, {
    customers: request.customers,
    now,
    report: progress,
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stderr.write(`\rA year of ${world.people.length} customers in ${seconds} s.   \n`);
  process.stderr.write(`Sign in at http://${config.host}:${config.port} with this key:\n`);
  process.stdout.write(`${token}\n`);
  if (!request.once) await goOn(world, stop);
}

/** The organization and the test mode, where the demo is made. */
async function placeOf(em: EntityManager, now: Date) {
  const { organizationId } = await sessionFor(em, { live: false, pricingModelId: undefined }, now);
  const actor = { type: 'system', id: 'demo' } as const;
  return { organizationId, livemode: false, keyType: 'secret', actor } as const;
}

const progress = (part: number, customers: number) =>
  process.stderr.write(`\r${Math.round(part * 100)} % of the year, ${customers} customers `);

/** Lets the business go on in real time until it is stopped. */
async function goOn(world: World, stop: AbortSignal) {
  process.stderr.write(
    'The business goes on. Ctrl-C stops it; npm run demo -- remove removes it.\n',
  );
  for (let tick = 1; !stop.aborted; tick++) {
    const session = await sessionOf(world);
    await advanceTestClock(session, { id: world.clockId, frozenTime: session.now });
    await useApi(world, `live-${session.now.getTime()}`, 0.02, session.now.getUTCDay(), 8);
    if (tick % ticksPerDecision === 0) await decide(world, 12);
    if (tick % ticksPerCustomer === 0) await arrive(world, world.people.length, session.now);
    await sleep(tickMilliseconds, undefined, { signal: stop }).catch(() => {});
  }
}
