import { presentOf } from '#domain/kernel/values/present.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import { arrive } from './arrive.ts';
import { decide } from './decide.ts';
import { keepAccounts } from './keep-accounts.ts';
import { seeSubscriptions } from './see-subscriptions.ts';
import { useNow } from './use-product.ts';
import { permitted, sessionOf, type World } from './world.ts';

const tickMilliseconds = 1_500;
/** A clock has the next turn after so many ticks: each advance is an event of its own, and few are enough. */
const ticksPerTurn = 5;
const turnsPerArrival = 3;
const turnsPerPayment = 7;
const usersPerTick = 4;
const decidersPerTurn = 8;

/** Continues the business in real time until it is stopped, at a pace that a person can follow. */
export async function continueDemo(worlds: readonly World[], stop: AbortSignal) {
  for (let tick = 0; !stop.aborted; tick++) {
    const turn = Math.floor(tick / ticksPerTurn);
    const world = worlds[turn % worlds.length] as World;
    const now = await presentOf(world.em);
    if (tick % ticksPerTurn === 0) await takeTurn(world, turn, now);
    await permitted(() => useNow(world, now, usersPerTick));
    await sleepUnless(stop, tickMilliseconds);
  }
}

async function takeTurn(world: World, turn: number, now: Date) {
  const id = world.clockId;
  // A person may have advanced the clock further.
  await permitted(() => advanceTestClock(sessionOf(world), { id, frozenTime: now }));
  await seeSubscriptions(world);
  await decide(world, decidersPerTurn);
  if (turn % turnsPerArrival === 0) await arrive(world, 1, now);
  if (turn % turnsPerPayment === 0) await keepAccounts(world);
}
