import { Customer } from '#domain/customers/customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { customerBalances } from '#domain/usage-balances/customer-balances.ts';
import { balancesOf, type MeterBalance } from '#domain/usage-balances/read-balances.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { SubscriptionExperimental } from './subscriptions.ts';
import { AggregationType } from './usage-meters.ts';

const UsageMeterBalance = builder.objectRef<MeterBalance>('UsageMeterBalance').implement({
  description: 'A usage meter, with how a subscription stands with it right now.',
  fields: (t) => ({
    ledgerId: t.id({ description: '`la_…`', resolve: ({ balance }) => balance.id }),
    usageMeterId: t.id({ description: 'The usage meter.', resolve: ({ meter }) => meter.id }),
    createdAt: t.field({
      type: 'Timestamp',
      description: 'When the meter was created.',
      resolve: ({ meter }) => meter.createdAt,
    }),
    updatedAt: t.field({
      type: 'Timestamp',
      description: 'When the meter last changed.',
      resolve: ({ meter }) => meter.updatedAt,
    }),
    livemode: t.boolean({
      description: 'Live data (true) or test data (false).',
      resolve: ({ meter }) => meter.livemode,
    }),
    organizationId: t.id({
      description: 'The organization that owns it.',
      resolve: ({ meter }) => meter.organizationId,
    }),
    pricingModelId: t.id({
      description: 'The pricing model it belongs to.',
      resolve: ({ meter }) => meter.pricingModelId,
    }),
    name: t.string({ description: 'The name of the meter.', resolve: ({ meter }) => meter.name }),
    slug: t.string({ description: 'The slug of the meter.', resolve: ({ meter }) => meter.slug }),
    aggregationType: t.field({
      type: AggregationType,
      description: 'How the meter makes one number of its events.',
      resolve: ({ meter }) => meter.aggregationType,
    }),
    subscriptionId: t.id({
      description: 'The subscription.',
      resolve: ({ balance }) => balance.subscriptionId,
    }),
    meter: t.expose('meter', { type: UsageMeter, description: 'The usage meter.' }),
    available: t.expose('available', {
      type: 'Decimal',
      description:
        'Credits that are not reserved, less usage that is neither covered nor billed: below 0 there is something to pay.',
    }),
    used: t.expose('used', {
      type: 'Decimal',
      description: 'What was used in the current billing period.',
    }),
    granted: t.expose('granted', {
      type: 'Decimal',
      description: 'The credits that the current billing period has had.',
    }),
    remaining: t.expose('remaining', {
      type: 'Decimal',
      description: 'What is left of the credits.',
    }),
    held: t.expose('held', {
      type: 'Decimal',
      description: 'What of the credits is reserved, and available to nothing else.',
    }),
    overage: t.expose('overage', {
      type: 'Decimal',
      description: 'What was used without credits and is not billed yet, also in earlier periods.',
    }),
    burnRatePerHour: t.expose('burnRatePerHour', {
      type: 'Decimal',
      description: 'What was used in an hour, on average of the last 24.',
    }),
    projectedPeriodTotal: t.expose('projectedPeriodTotal', {
      type: 'Decimal',
      nullable: true,
      description: 'What will have been used when the period ends, if it goes on like this.',
    }),
    runsOutAt: t.expose('runsOutAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When nothing will be available any more, if it goes on like this.',
    }),
  }),
});

export const balances = {
  type: [UsageMeterBalance] as [typeof UsageMeterBalance],
  description: 'For each meter that was used or has credits, the oldest first.',
};

builder.objectField(Subscription, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    resolve: (subscription, _args, session) => balancesOf(session, subscription),
  }),
);

builder.objectField(SubscriptionExperimental, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    resolve: (subscription, _args, session) => balancesOf(session, subscription),
  }),
);

builder.objectField(Customer, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    args: {
      subscriptionId: t.arg.id({
        description: 'Of this subscription; of all current ones when absent.',
      }),
    },
    resolve: (customer, { subscriptionId }, session) =>
      customerBalances(session, customer, subscriptionId),
  }),
);
