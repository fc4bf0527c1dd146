import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { lastKnownPresent } from '#domain/kernel/values/present.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { plans } from './catalog.ts';
import { Chance } from './chance.ts';
import { findDemo, type Place, worldsOf } from './found-demo.ts';
import { type Person, sessionOf, type World } from './world.ts';

/** The parts of the demo as the database shows them. Errors: NOT_FOUND. */
export async function recallDemo(em: EntityManager, place: Place): Promise<World[]> {
  const demo = await findDemo(em, place);
  if (!demo) throw new DomainError('NOT_FOUND', 'There is no demo: tollgate demo makes one');
  const worlds = await worldsOf(em, place, demo.id);
  for (const world of worlds) world.people.push(...(await peopleOf(world)));
  return worlds;
}

async function peopleOf(world: World): Promise<Person[]> {
  const { em } = sessionOf(world);
  const now = lastKnownPresent(em);
  const orderBy = { createdAt: 'asc', position: 'asc' } as const;
  const customers = await em.find(Customer, { testClock: world.clockId }, { orderBy });
  const where = { customer: { testClock: world.clockId } };
  const paid = await em.find(Subscription, { ...where, isFreePlan: false }, { orderBy });
  const claims = await em.find(ResourceClaim, {
    testClockId: world.clockId,
    releasedAt: null,
  });
  const prices = new Map((await em.find(Price, {})).map(({ id, slug }) => [id, slug ?? '']));
  const newest = new Map(paid.map((subscription) => [subscription.customerId, subscription]));
  const seats = Map.groupBy(claims, ({ customerId }) => customerId);
  const own = customers.filter(({ externalId }) => /^demo_\d+$/.test(externalId));
  return own.map(({ id: customerId, externalId, collectionMethod }) => {
    const n = Number(externalId.replace('demo_', ''));
    const chance = new Chance(now.getTime() + n);
    const subscription = newest.get(customerId);
    const slug = prices.get(subscription?.priceId ?? '') ?? '';
    return {
      n,
      chance,
      customerId,
      subscriptionId: subscription?.id,
      plan: plans.find((plan) => slug.startsWith(plan)),
      isAbroad: slug.endsWith('-abroad'),
      usedUntil: now,
      pace: chance.from(50, 2_000),
      paysByCard: (subscription?.collectionMethod ?? collectionMethod) !== 'send_invoice',
      isShort: false,
      seats: seats.get(customerId)?.length ?? 0,
    };
  });
}
