import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/present.ts';
import { sessionFor } from '#server/keys-commands.ts';
import { openToolDatabase } from '#server/tool-database.ts';
import type { DemoRequest } from './arguments.ts';
import { continueDemo } from './continue-demo.ts';
import type { Place } from './found-demo.ts';
import { makeDemo } from './make-demo.ts';
import { recallDemo } from './recall-demo.ts';
import { removeDemo } from './remove-demo.ts';

const poolSize = 10;

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
  const place = await placeOf(em);
  if (request.command === 'remove') {
    await removeDemo(em, place);
    say('The demo is removed\n');
  } else if (request.command === 'live') {
    await continueLive(await recallDemo(em, place), stop);
  } else {
    const worlds = await fill(em, place, request.customers, config, stop);
    if (!request.once) await continueLive(worlds, stop);
  }
}

/** The organization and the test mode, where the demo is made. */
async function placeOf(em: EntityManager): Promise<Place> {
  const now = await presentOf(em);
  const { organizationId } = await sessionFor(em, { live: false, pricingModelId: undefined }, now);
  return {
    organizationId,
    livemode: false,
    keyType: 'secret',
    actor: { type: 'system', id: 'demo' },
  };
}

async function fill(
  em: EntityManager,
  place: Place,
  customers: number,
  { publicUrl, host, port }: Config,
  stop: AbortSignal,
) {
  const began = performance.now();
  const now = await presentOf(em);
  const { worlds, token } = await makeDemo(em, place, { customers, now, stop, report: progress });
  const count = worlds.reduce((sum, { people }) => sum + people.length, 0);
  const seconds = Math.round((performance.now() - began) / 1_000);
  say(
    stop.aborted
      ? '\rThe demo is incomplete: npm run demo -- remove removes it.\n'
      : `\rA year of ${count} customers in ${seconds} s.   \n`,
  );
  say(`Sign in at ${publicUrl ?? `http://${host}:${port}`} with this key:\n`);
  process.stdout.write(`${token}\n`);
  return worlds;
}

async function continueLive(worlds: Awaited<ReturnType<typeof recallDemo>>, stop: AbortSignal) {
  if (!stop.aborted) {
    say('The business continues. Ctrl-C stops it; npm run demo -- remove removes it.\n');
  }
  await continueDemo(worlds, stop);
}

const progress = (part: number, customers: number) =>
  say(`\r${Math.floor(part * 100)} % of the year, ${customers} customers `);

const say = (text: string) => void process.stderr.write(text);
