import { setTimeout as sleep } from 'node:timers/promises';
import { presentOf } from '#domain/kernel/present.ts';
import { advanceTestClock } from '#domain/test-clocks/advance-test-clock.ts';
import { arrive } from './arrive.ts';
import { decide } from './decide.ts';
import { keepAccounts } from './keep-accounts.ts';
import { seeSubscriptions } from './see-subscriptions.ts';
import { useNow } from './use-product.ts';
import { sessionOf, type World } from './world.ts';

/** The pauses of the business in real time. */
const tickMilliseconds = 1_500;
const ticksPerDecision = 5;
const ticksPerArrival = 13;
const ticksPerPayment = 31;
const usersPerTick = 4;
const decidersPerTick = 8;

/** Continues the business in real time until it is stopped, at a pace that a person can follow. */
export async function continueDemo(worlds: readonly World[], stop: AbortSignal) {
  for (let tick = 1; !stop.aborted; tick++) {
    const world = worlds[tick % worlds.length] as World;
    const now = await presentOf(world.em);
    for (const { clockId: id } of worlds) {
      await advanceTestClock(sessionOf(world), { id, frozenTime: now });
    }
    await seeSubscriptions(world);
    await useNow(world, now, usersPerTick);
    if (tick % ticksPerDecision === 0) await decide(world, decidersPerTick);
    if (tick % ticksPerArrival === 0) await arrive(world, 1, now);
    if (tick % ticksPerPayment === 0) await keepAccounts(world);
    await sleep(tickMilliseconds, undefined, { signal: stop }).catch(() => {});
  }
}
