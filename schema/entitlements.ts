import { Customer } from '#domain/customers/customer.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { entitlementsOf, nextEntitlementChange } from '#domain/rules/entitlement/entitlements.ts';
import { builder } from './engine/builder.ts';
import { orUntil, throttled } from './engine/throttled.ts';

/** The types of objects whose changes can affect a customer's features. */
const types: EventType[] = [
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'subscription.trial_ended',
  'subscription_item.updated',
  'subscription_item_feature.created',
  'subscription_item_feature.updated',
];

/** One change of a subscription is several events, which are looked at together. */
const pauseMilliseconds = 50;

builder.subscriptionField('entitlementsChanged', (t) =>
  t.field({
    type: Customer,
    description:
      'Emits the customer immediately, and again after each change of the features that its subscriptions grant. Changes include features that start or expire by time alone. Errors: NOT_FOUND.',
    args: { customerId: t.arg.id({ required: true, description: 'The id of the customer.' }) },
    subscribe: async (_root, { customerId }, session) => {
      const changes = [await session.follow({ customerId, types })];
      try {
        const { testClockId } = await session.em.findOneOrFail(Customer, customerId);
        // On a test clock time passes when that moves.
        if (testClockId) changes.push(await session.follow({ objectId: testClockId }));
      } catch (error) {
        // A refused client follows nothing and must not remain among the followers.
        await changes[0]?.return?.();
        throw error;
      }
      const news = throttled(changes, pauseMilliseconds);
      const differing = differences(session, customerId, news);
      const leave = differing.return.bind(differing);
      // While it waits for a change it cannot be left, so what it waits for is ended first.
      differing.return = async (value) => {
        await news.return?.();
        return leave(value);
      };
      return differing as AsyncIterable<never>;
    },
    resolve: (_change, { customerId }, { em }) => em.findOneOrFail(Customer, customerId),
  }),
);

/** Passes on only what makes a difference; also looks when time alone makes one. */
async function* differences(
  session: Session,
  customerId: string,
  news: AsyncIterableIterator<object>,
): AsyncGenerator<{ customerId: string }> {
  let known = '';
  let next = news.next();
  for (;;) {
    const { found, until } = await present(session, customerId);
    if (found !== known) {
      known = found;
      yield { customerId };
    }
    const woken = await orUntil(next, until);
    if (woken?.done) return;
    if (woken) next = news.next();
  }
}

async function present(session: Session, customerId: string) {
  const { em, apiKeyId, ...scope } = session;
  const fresh = openSession(em, { ...scope, now: await presentOf(em) }, apiKeyId);
  const customer = await fresh.em.findOneOrFail(Customer, customerId);
  const entitlements = await entitlementsOf(fresh, customer);
  const found = JSON.stringify(
    entitlements.map(({ id, amount, expiredAt }) => [id, amount, expiredAt]),
  );
  return { found, until: await nextEntitlementChange(fresh, customer) };
}
