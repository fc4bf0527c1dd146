import type { EventType } from '#domain/events/event-types.ts';
import { lastSequence } from '#domain/events/read-events.ts';
import { sequenceEvents } from '#domain/rules/feed/sequence-events.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { balancesOf } from '#domain/usage-balances/read-balances.ts';
import { builder } from './engine/builder.ts';
import { throttled } from './engine/throttled.ts';
import { balances } from './usage-balances.ts';

const pauseMilliseconds = 250;

/** The types of objects whose changes can affect a balance. */
const types: EventType[] = [
  'usage_event.recorded',
  'usage_event.voided',
  'usage_event.replaced',
  'usage_credit.created',
  'usage_credit.expired',
  'billing_period.created',
  'reservation.created',
  'reservation.confirmed',
  'reservation.released',
  'reservation.expired',
  'invoice.created',
];

interface BalanceChange {
  readonly sequence: number;
  readonly subscription: Subscription;
}

const UsageBalances = builder.objectRef<BalanceChange>('UsageBalances').implement({
  description: 'The usage balances of a subscription at a position in the change feed.',
  fields: (t) => ({
    asOfSequence: t.expose('sequence', {
      type: 'Sequence',
      description:
        'The sequence of the last event included; resume after it when the connection was lost.',
    }),
    balances: t.field({
      ...balances,
      resolve: ({ subscription }, _args, session) => balancesOf(session, subscription),
    }),
  }),
});

builder.subscriptionField('usageBalanceChanged', (t) =>
  t.field({
    type: UsageBalances,
    description:
      'Emits the balances of a subscription immediately and after changes, at most 4 times a second. With `after`, emits from the first change after that sequence. Errors: NOT_FOUND; BAD_REQUEST for a sequence that is no longer retained.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      after: t.arg({
        type: 'Sequence',
        description: 'The last asOfSequence received; the present balances come first when absent.',
      }),
    },
    subscribe: async (_root, { subscriptionId, after }, session) => {
      const { customerId } = await session.em.findOneOrFail(Subscription, subscriptionId);
      // Committed events have their sequence before the balances are read, so the balances contain
      // all events up to it.
      await sequenceEvents(session.em);
      const seen = after ?? (await lastSequence(session.em));
      const changes = await session.follow({ customerId, types }, seen);
      const first = after == null ? { sequence: seen } : null;
      return throttled(changes, pauseMilliseconds, first) as never;
    },
    resolve: async (event, { subscriptionId }, { em }) => ({
      sequence: (event as unknown as { sequence: number }).sequence,
      subscription: await em.findOneOrFail(Subscription, subscriptionId),
    }),
  }),
);
