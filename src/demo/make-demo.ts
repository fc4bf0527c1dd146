import type { EntityManager } from '@mikro-orm/postgresql';
import { createApiKey } from '#domain/api-keys/create-api-key.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { openSession, type Scope } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { setUpPricingModel } from '#domain/pricing-models/set-up-pricing-model.ts';
import { advanceTestClock } from '#domain/test-clocks/advance-test-clock.ts';
import { createTestClock } from '#domain/test-clocks/create-test-clock.ts';
import { arrive } from './arrive.ts';
import { demoCatalog } from './catalog.ts';
import { Chance } from './chance.ts';
import { decide, payInvoices, useApi } from './live-through.ts';
import { inLanes, sessionOf, type World } from './world.ts';

/** The name by which a demo is found again. */
export const demoName = 'Demo';

const day = 86_400_000;
const days = 365;
/** Usage is recorded and decisions are made this often; at the end of the year each day. */
const stepDays = 5;
const dailyDays = 20;

interface Options {
  readonly customers: number;
  /** The end of the demo's year. */
  readonly now: Date;
  readonly report: (done: number, customers: number) => void;
}

/** Fills a pricing model of its own with a year of a business. Returns the world and a key for it. Errors: BAD_REQUEST where there is one. */
export async function makeDemo(
  em: EntityManager,
  place: Omit<Scope, 'now' | 'pricingModelId'>,
  { customers, now, report }: Options,
) {
  const outside = openSession(em, { ...place, pricingModelId: '', now });
  if (await outside.em.findOne(PricingModel, { name: demoName })) {
    throw new DomainError(
      'BAD_REQUEST',
      `There is a pricing model ${demoName}: remove it first (npm run demo -- remove)`,
    );
  }
  const { pricingModel } = await setUpPricingModel(outside, demoCatalog(demoName));
  const scope = { ...place, pricingModelId: pricingModel.id };
  const { token } = await createApiKey(await sessionOf({ em, scope }), {
    apiKey: { name: demoName, type: 'secret' },
  } as never);
  const began = new Date(now.getTime() - days * day);
  const clock = await createTestClock(await sessionOf({ em, scope }), {
    testClock: { name: demoName, frozenTime: began },
  });
  const world: World = { em, scope, chance: new Chance(7), clockId: clock.id, people: [] };
  for (const [step, at] of stepsUntil(now).entries()) {
    await advanceTestClock(await sessionOf(world), { id: clock.id, frozenTime: at });
    const part = (at.getTime() - began.getTime()) / (days * day);
    // Growth: as many arrive in the last quarter as in the first half.
    const wanted = Math.round(customers * part ** 1.3);
    const first = world.people.length;
    const numbers = Array.from({ length: Math.max(0, wanted - first) }, (_, n) => first + n);
    await inLanes(numbers, (n) => arrive(world, n, at));
    await live(world, String(step), at, part);
    report(part, world.people.length);
  }
  return { world, token };
}

/** A step of the year: usage, decisions and bank transfers. */
export async function live(world: World, label: string, at: Date, part: number) {
  const isDaily = part > 1 - dailyDays / days;
  await useApi(world, label, isDaily ? 1 : stepDays, at.getUTCDay());
  if (isDaily && world.chance.is(0.6)) return;
  await decide(world);
  await payInvoices(world);
}

/** The instants at which the clock stops on its way to the present. */
function stepsUntil(now: Date): Date[] {
  const ago = (count: number) => new Date(now.getTime() - count * day);
  const steps: Date[] = [];
  for (let left = days; left > dailyDays; left -= stepDays) steps.push(ago(left));
  for (let left = dailyDays; left >= 0; left--) steps.push(ago(left));
  return steps;
}
