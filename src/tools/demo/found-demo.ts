import type { EntityManager } from '@mikro-orm/postgresql';
import {
  createDiscount,
  createDiscountInput,
} from '#domain/catalog/commands/discounts/create-discount.ts';
import { setUpPricingModel } from '#domain/catalog/commands/pricing-models/set-up-pricing-model.ts';
import { defaultCurrency } from '#domain/catalog/currency.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { enterPricingModel, type Scope, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import {
  createApiKey,
  createApiKeyInput,
} from '#domain/platform/commands/api-keys/create-api-key.ts';
import { createTestClock } from '#domain/platform/commands/test-clocks/create-test-clock.ts';
import { addDays } from '#domain/subscriptions/periods/utc-calendar.ts';
import { welcomeCode } from './arrive.ts';
import { yearDays } from './calendar.ts';
import { abroadOf, demoCatalog } from './catalog.ts';
import { Chance } from './chance.ts';
import { sessionOf, type World } from './world.ts';

/** The organization and the test mode, where the demo is made. */
export type Place = Omit<Scope, 'now' | 'pricingModelId'>;

const demoName = 'Demo';
const clocks = 3;
/** The names of the clocks mark a pricing model as a demo: another one may have the same name. */
/** A demo is found by these names, also one of an earlier version. */
const clockName = (clock: number) => `npm run demo, clock ${clock + 1}`;
const clockNames = Array.from({ length: clocks }, (_, clock) => clockName(clock));

/** The demo of an organization, if there is one. */
export async function findDemo(em: EntityManager, place: Place): Promise<PricingModel | null> {
  const outside = sessionOf({ em, scope: { ...place, pricingModelId: '' } });
  const [clock] = await outside.em.find(
    TestClock,
    { name: clockName(0), organizationId: place.organizationId },
    { filters: { tenant: false }, limit: 1 },
  );
  return clock ? outside.em.findOneOrFail(PricingModel, clock.pricingModelId) : null;
}

/** The clocks of a demo, each with its customers. */
export async function worldsOf(em: EntityManager, place: Place, pricingModelId: string) {
  const scope = { ...place, pricingModelId };
  const session = sessionOf({ em, scope });
  const found = await session.em.find(
    TestClock,
    { name: clockNames },
    { orderBy: { name: 'asc' } },
  );
  const abroad = abroadOf(await defaultCurrency(session)).countries;
  return found.map(
    ({ id: clockId }, first): World => ({
      em,
      scope,
      chance: new Chance(first),
      clockId,
      first,
      step: clocks,
      abroad,
      people: [],
    }),
  );
}

/**
 * Makes a pricing model with its catalog, clocks and key for a demo whose year ends now, in one transaction. Returns its id and the text
 * of the key. Errors: BAD_REQUEST where there is a demo, and for another pricing model of its name.
 */
export async function foundDemo(em: EntityManager, place: Place, now: Date) {
  const demo = await findDemo(em, place);
  if (demo) {
    throw new DomainError(
      'BAD_REQUEST',
      `There is a demo (${demo.id}). tollgate demo live continues it, tollgate demo remove removes it. tollgate keys create --pricing-model ${demo.id} makes another key for it`,
    );
  }
  return command(sessionOf({ em, scope: { ...place, pricingModelId: '' } }), async (outside) => {
    if (await outside.em.findOne(PricingModel, { name: demoName })) {
      const message = `There is a pricing model ${demoName} that is no demo: rename it first`;
      throw new DomainError('BAD_REQUEST', message);
    }
    const abroad = abroadOf(await defaultCurrency(outside));
    const { pricingModel } = await setUpPricingModel(
      outside,
      demoCatalog(demoName, abroad.currency),
    );
    const { token } = await furnish(
      enterPricingModel(outside, pricingModel.id),
      addDays(now, -yearDays),
    );
    return { pricingModelId: pricingModel.id, token };
  });
}

/** Adds the parts of a demo that are not in its catalog. */
async function furnish(session: Session, frozenTime: Date) {
  for (const name of clockNames)
    await createTestClock(session, { testClock: { name, frozenTime } });
  const discount = {
    name: 'Welcome',
    code: welcomeCode,
    amount: 20,
    amountType: 'percent',
    duration: 'number_of_payments',
    numberOfPayments: 3,
  };
  await createDiscount(session, createDiscountInput.parse({ discount }));
  const apiKey = { name: demoName, type: 'secret' };
  return createApiKey(session, createApiKeyInput.parse({ apiKey }));
}
