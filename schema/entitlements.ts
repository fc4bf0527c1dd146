import { Customer } from '#domain/customers/customer.ts';
import { entitlementsOf } from '#domain/customers/entitlements.ts';
import type { Event } from '#domain/events/event.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { presentOf } from '#domain/present.ts';
import { openSession, type Session } from '#domain/session.ts';
import { builder } from './builder.ts';

/** What can change what a customer has. */
const types: EventType[] = [
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'subscription.trial_ended',
  'subscription_item.updated',
  'subscription_item_feature.created',
  'subscription_item_feature.updated',
];

builder.subscriptionField('entitlementsChanged', (t) =>
  t.field({
    type: Customer,
    description:
      'The customer, once at first and then each time that what it has by its subscriptions is another. Errors: NOT_FOUND.',
    args: { customerId: t.arg.id({ required: true, description: 'The id of the customer.' }) },
    subscribe: async (_root, { customerId }, session) => {
      const changes = await session.follow({ customerId, types });
      try {
        await session.em.findOneOrFail(Customer, customerId);
      } catch (error) {
        // Whoever is refused follows nothing, and must not stay among those who do.
        await changes.return?.();
        throw error;
      }
      const differing = differences(session, customerId, changes);
      const leave = differing.return.bind(differing);
      // While it waits for a change it cannot be left, so what it waits for is ended first.
      differing.return = async (value) => {
        await changes.return?.();
        return leave(value);
      };
      return differing as AsyncIterable<never>;
    },
    resolve: (_change, { customerId }, { em }) => em.findOneOrFail(Customer, customerId),
  }),
);

/** Passes on only what makes a difference: one change of a subscription is several events. */
async function* differences(
  session: Session,
  customerId: string,
  changes: AsyncIterableIterator<Event>,
): AsyncGenerator<{ customerId: string }> {
  let known = await fingerprint(session, customerId);
  yield { customerId };
  for await (const _change of changes) {
    const present = await fingerprint(session, customerId);
    if (present === known) continue;
    known = present;
    yield { customerId };
  }
}

async function fingerprint(session: Session, customerId: string): Promise<string> {
  const { em, apiKeyId, ...scope } = session;
  const fresh = openSession(em, { ...scope, now: await presentOf(em) }, apiKeyId);
  const customer = await fresh.em.findOneOrFail(Customer, customerId);
  const entitlements = await entitlementsOf(fresh, customer);
  return JSON.stringify(entitlements.map(({ id, amount, expiredAt }) => [id, amount, expiredAt]));
}
