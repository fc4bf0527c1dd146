import { Subscription } from '#domain/subscriptions/subscription.ts';
import { balanceChanges } from '#domain/usage-balances/balance-changes.ts';
import { balancesOf } from '#domain/usage-balances/read-balances.ts';
import { builder } from './engine/builder.ts';
import { balances } from './usage-balances.ts';

interface BalanceChange {
  readonly sequence: number;
  readonly subscription: Subscription;
}

const UsageBalances = builder.objectRef<BalanceChange>('UsageBalances').implement({
  description: 'The balances of a subscription at a place in the change feed.',
  fields: (t) => ({
    asOfSequence: t.expose('sequence', {
      type: 'Sequence',
      description: 'All events up to here are in it; go on after it when the connection was lost.',
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
      'The balances of a subscription: at once, and again when they have changed, at most four times a second. With `after`, from the first change behind that place. Errors: NOT_FOUND; BAD_REQUEST for a place that is too long ago.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      after: t.arg({
        type: 'Sequence',
        description: 'The asOfSequence that was seen last; the present state first when absent.',
      }),
    },
    subscribe: async (_root, { subscriptionId, after }, session) =>
      (await balanceChanges(session, subscriptionId, after)) as AsyncIterable<never>,
    resolve: async (event, { subscriptionId }, { em }) => ({
      sequence: (event as unknown as { sequence: number }).sequence,
      subscription: await em.findOneOrFail(Subscription, subscriptionId),
    }),
  }),
);
