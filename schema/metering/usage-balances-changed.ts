import { balanceChanges } from '#domain/metering/commands/usage-balances/balance-changes.ts';
import { balancesOf } from '#domain/metering/commands/usage-balances/read-balances.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { object } from '../engine/types.ts';
import { balances } from './usage-balances.ts';

interface BalanceChange {
  readonly sequence: number;
  readonly subscription: Subscription;
}

const UsageBalances = object<BalanceChange>('UsageBalances')({
  description: 'The usage balances of a subscription at a position in the change feed.',
  fields: (t) => ({
    asOfSequence: t.expose('sequence', {
      type: 'Sequence',
      description:
        'The sequence of the last event included; resume after it when the connection was lost.',
    }),
    balances: t.field({
      ...balances,
      resolve: async ({ subscription }, _args, session) =>
        upToMost(await balancesOf(session, subscription)),
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
    subscribe: async (_root, { subscriptionId, after }, session) =>
      (await balanceChanges(session, subscriptionId, after)) as AsyncIterable<never>,
    resolve: async (event, { subscriptionId }, { em }) => ({
      sequence: (event as unknown as { sequence: number }).sequence,
      subscription: await em.findOneOrFail(Subscription, subscriptionId),
    }),
  }),
);
