import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { sessionOf, type World } from './world.ts';

/** Reads which customers are subscribed: dunning and cancellations have ended subscriptions meanwhile. */
export async function seeSubscriptions(world: World) {
  const { em } = sessionOf(world);
  const current = await em.find(Subscription, {
    customer: { testClock: world.clockId },
    isFreePlan: false,
    status: ['active', 'trialing', 'past_due', 'cancellation_scheduled'],
  });
  const byCustomer = new Map(current.map(({ customerId, id }) => [customerId, id]));
  for (const person of world.people) person.subscriptionId = byCustomer.get(person.customerId);
}
