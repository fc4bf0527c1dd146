import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { sessionFor } from '../keys/commands.ts';
import type { Terminal } from '../terminal.ts';
import { openForWork } from '../tool-database.ts';
import type { DemoRequest } from './arguments.ts';
import { continueDemo } from './continue-demo.ts';
import type { Place } from './found-demo.ts';
import { makeDemo } from './make-demo.ts';
import { recallDemo } from './recall-demo.ts';
import { removeDemo } from './remove-demo.ts';

/** Where the program writes, and when it ends. */
type Output = Pick<Terminal, 'print' | 'tell'> & { readonly stop: AbortSignal };

/** Runs a command of `tollgate demo`, also while a process of the service runs on the same database. */
export async function runDemo(
  request: Exclude<DemoRequest, { command: 'help' }>,
  config: Config,
  output: Output,
) {
  const { tell } = output;
  await using opened = new AsyncDisposableStack();
  const { orm } = await openForWork(opened, config);
  const em = orm.em.fork();
  const place = await placeOf(em);
  if (request.command === 'remove') {
    await removeDemo(em, place);
    tell('The demo is removed\n');
  } else if (request.command === 'live') {
    await continueLive(await recallDemo(em, place), output);
  } else {
    const worlds = await fill(em, place, request.customers, config, output);
    if (!request.once) await continueLive(worlds, output);
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
  { print, tell, stop }: Output,
) {
  const progress = (part: number, made: number) =>
    tell(`\r${Math.floor(part * 100)} % of the year, ${made} customers `);
  const began = performance.now();
  const now = await presentOf(em);
  const { worlds, token } = await makeDemo(em, place, { customers, now, stop, report: progress });
  const count = worlds.reduce((sum, { people }) => sum + people.length, 0);
  const seconds = Math.round((performance.now() - began) / 1_000);
  tell(
    stop.aborted
      ? '\rThe demo is incomplete: tollgate demo remove removes it.\n'
      : `\rA year of ${count} customers in ${seconds} s.   \n`,
  );
  tell(`Sign in at ${publicUrl ?? `http://${host}:${port}`} with this key:\n`);
  print(`${token}\n`);
  return worlds;
}

async function continueLive(
  worlds: Awaited<ReturnType<typeof recallDemo>>,
  { tell, stop }: Output,
) {
  if (!stop.aborted) {
    tell('The business continues. Ctrl-C stops it; tollgate demo remove removes it.\n');
  }
  await continueDemo(worlds, stop);
}
