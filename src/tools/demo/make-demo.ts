import type { EntityManager } from '@mikro-orm/postgresql';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { arrive } from './arrive.ts';
import { type Stop, stopsOf, yearDays } from './calendar.ts';
import { decide, decideEach } from './decide.ts';
import { foundDemo, type Place, worldsOf } from './found-demo.ts';
import { keepAccounts } from './keep-accounts.ts';
import { seeSubscriptions } from './see-subscriptions.ts';
import { useProduct } from './use-product.ts';
import { sessionOf, type World } from './world.ts';

const day = 86_400_000;
/** Growth: about as many arrive in the last four months as in the eight before. */
const growth = 1.4;

interface Options {
  readonly customers: number;
  /** The end of the demo's year. */
  readonly now: Date;
  readonly stop: AbortSignal;
  /** Is called with the share of the year that is done, and the number of customers. */
  readonly report: (done: number, customers: number) => void;
}

/**
 * Fills a pricing model of its own with a year of a business. Returns its parts and the text of a key for it. An abort
 * ends it early. Errors: those of `foundDemo`.
 */
export async function makeDemo(
  em: EntityManager,
  place: Place,
  { customers, now, stop, report }: Options,
) {
  const { pricingModelId, token } = await foundDemo(em, place, now);
  const worlds = await worldsOf(em, place, pricingModelId);
  const done = worlds.map(() => 0);
  const fill = async (world: World, clock: number) => {
    for (const one of stopsOf(clock, worlds.length, now)) {
      if (stop.aborted) return;
      const part = 1 - (now.getTime() - one.at.getTime()) / (yearDays * day);
      const wanted = shareOf(customers * part ** growth, world);
      await live(world, one, { now, comers: Math.max(0, wanted - world.people.length) });
      done[clock] = part;
      report(
        Math.min(...done),
        worlds.reduce((sum, { people }) => sum + people.length, 0),
      );
    }
  };
  await Promise.all(worlds.map(fill));
  return { worlds, token };
}

/** How many of some customers a clock has: customers go to the clocks in turns. */
const shareOf = (customers: number, { first, step }: World) =>
  Math.floor((Math.round(customers) - first + step - 1) / step);

async function live(
  world: World,
  { at, arrives, decides }: Stop,
  { now, comers }: { readonly now: Date; readonly comers: number },
) {
  const advance = () => advanceTestClock(sessionOf(world), { id: world.clockId, frozenTime: at });
  await advance();
  await seeSubscriptions(world);
  await useProduct(world, at, now);
  if (arrives && comers > 0) {
    await arrive(world, comers, at);
    // Charges what is due since their arrival, in batches.
    await advance();
  }
  if (!decides) return;
  await decide(world);
  await keepAccounts(world);
  if (at.getTime() === now.getTime()) await decideEach(world);
}
