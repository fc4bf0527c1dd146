import { customerBalances } from '#domain/metering/commands/usage-balances/customer-balances.ts';
import {
  balanceById,
  balancesOf,
  type MeterBalance,
} from '#domain/metering/commands/usage-balances/read-balances.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { AggregationType } from '../catalog/usage-meters.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { load } from '../engine/load.ts';
import { SubscriptionGrants } from '../subscriptions/subscription-grants.ts';

export const UsageMeterBalance = builder.objectRef<MeterBalance>('UsageMeterBalance');

builder.node(UsageMeterBalance, {
  description: 'A usage meter with the present balance of a subscription.',
  id: { resolve: ({ balance }) => balance.id, description: 'The id, `la_…`.' },
  loadOne: (id, session) => balanceById(session, id),
  fields: (t) => ({
    ledgerId: t.id({ description: 'The id, `la_…`.', resolve: ({ balance }) => balance.id }),
    usageMeterId: t.id({ description: 'The usage meter.', resolve: ({ meter }) => meter.id }),
    createdAt: t.field({
      type: 'Timestamp',
      description: 'The time of the meter’s creation.',
      resolve: ({ meter }) => meter.createdAt,
    }),
    updatedAt: t.field({
      type: 'Timestamp',
      description: 'The time of the meter’s last change.',
      resolve: ({ meter }) => meter.updatedAt,
    }),
    livemode: t.boolean({
      description: 'Live data (true) or test data (false).',
      resolve: ({ meter }) => meter.livemode,
    }),
    organizationId: t.id({
      description: 'The organization that owns the object.',
      resolve: ({ meter }) => meter.organizationId,
    }),
    organization: t.field({
      type: OrganizationSettings,
      nullable: true,
      description: 'The organization that owns the object.',
      resolve: ({ meter }, _args, session) =>
        load(session, OrganizationSettings, meter.organizationId),
    }),
    pricingModelId: t.id({
      description: 'The pricing model that the object belongs to.',
      resolve: ({ meter }) => meter.pricingModelId,
    }),
    pricingModel: t.field({
      type: PricingModel,
      nullable: true,
      description: 'The pricing model that the object belongs to.',
      resolve: ({ meter }, _args, session) => load(session, PricingModel, meter.pricingModelId),
    }),
    name: t.string({ description: 'The name of the meter.', resolve: ({ meter }) => meter.name }),
    slug: t.string({ description: 'The slug of the meter.', resolve: ({ meter }) => meter.slug }),
    aggregationType: t.field({
      type: AggregationType,
      description: 'The aggregation of the meter’s events into one number.',
      resolve: ({ meter }) => meter.aggregationType,
    }),
    subscriptionId: t.id({
      description: 'The subscription.',
      resolve: ({ balance }) => balance.subscriptionId,
    }),
    subscription: t.field({
      type: Subscription,
      description: 'The subscription.',
      resolve: ({ balance }) => balance.subscription.loadOrFail(),
    }),
    usageMeter: t.expose('meter', { type: UsageMeter, description: 'The usage meter.' }),
    meter: t.expose('meter', { type: UsageMeter, description: 'The usage meter.' }),
    available: t.expose('available', {
      type: 'Decimal',
      description:
        'The unreserved credits, minus usage that is neither covered nor billed. A negative number is payable.',
    }),
    used: t.expose('used', {
      type: 'Decimal',
      description: 'The usage in the current billing period.',
    }),
    granted: t.expose('granted', {
      type: 'Decimal',
      description:
        'The credits of the current billing period: the remaining ones plus those already used.',
    }),
    remaining: t.expose('remaining', {
      type: 'Decimal',
      description: 'The remaining credits.',
    }),
    rolledOver: t.expose('rolledOver', {
      type: 'Decimal',
      description: 'The part of the remaining credits that has rolled over from earlier periods.',
    }),
    held: t.expose('held', {
      type: 'Decimal',
      description: 'The reserved part of the credits, which other usage cannot consume.',
    }),
    overage: t.expose('overage', {
      type: 'Decimal',
      description:
        'The usage that is neither covered by credits nor billed yet, including earlier periods.',
    }),
    burnRatePerHour: t.expose('burnRatePerHour', {
      type: 'Decimal',
      description: 'The average usage per hour in the last 24 hours.',
    }),
    projectedPeriodTotal: t.expose('projectedPeriodTotal', {
      type: 'Decimal',
      nullable: true,
      description: 'The projected usage at the period’s end, at the present rate.',
    }),
    runsOutAt: t.expose('runsOutAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The projected time when the available credits run out, at the present rate; null when nothing is used, and when credits expire or are renewed with the period before.',
    }),
  }),
});

export const balances = {
  type: [UsageMeterBalance] as [typeof UsageMeterBalance],
  description: `The balance of each meter with usage or credits, oldest first; ${atMostBelow}.`,
};

builder.objectField(Subscription, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    resolve: async (subscription, _args, session) =>
      upToMost(await balancesOf(session, subscription)),
  }),
);

builder.objectField(SubscriptionGrants, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    resolve: async (subscription, _args, session) =>
      upToMost(await balancesOf(session, subscription)),
  }),
);

builder.objectField(Customer, 'usageMeterBalances', (t) =>
  t.field({
    ...balances,
    args: {
      subscriptionId: t.arg.id({
        description: 'The subscription; all current subscriptions when absent.',
      }),
    },
    resolve: async (customer, { subscriptionId }, session) =>
      upToMost(await customerBalances(session, customer, subscriptionId)),
  }),
);
