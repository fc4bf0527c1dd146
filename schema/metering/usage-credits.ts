import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { hasRunOut } from '#domain/metering/ledger/has-run-out.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageCredit, usageCreditSources } from '#domain/model/metering/usage-credit.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { decimal, int, nullable, of } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { object, record } from '../engine/types.ts';
import { byDecimal, byEnum, byId, byTime } from '../engine/where.ts';

const UsageCreditSource = builder.enumType('UsageCreditSource', {
  description: 'The source of usage credits.',
  values: described(usageCreditSources, {
    feature: 'A feature of a subscription item granted the credits.',
    add_feature: 'The addition of a feature granted the credits immediately.',
    manual: 'An API request granted the credits.',
  }),
});

const UsageCreditRollover = object<UsageCredit & { readonly rolloverPeriods: number }>(
  'UsageCreditRollover',
)({
  description: 'How unused credits of a billing period roll over, and what has.',
  fields: (t) => ({
    periodsLeft: t.exposeInt('rolloverPeriods', {
      description: 'The ends of billing periods that the credits may still cross.',
    }),
    limit: t.expose('rolloverLimit', {
      type: 'Decimal',
      nullable: true,
      description: 'The largest number of credits that roll over; null without a limit.',
    }),
    isRolledOver: t.boolean({
      description: 'Whether the billing period of the grant has ended, and another one followed.',
      resolve: ({ rolledInto }) => rolledInto != null,
    }),
    rolledOver: decimal(
      'The credits that the billing period of the grant left within the limit. Corrections of its usage change it.',
    ),
    notRolledOver: decimal('The unused credits beyond the limit, which expired with that period.'),
  }),
});

record(UsageCredit, {
  description: 'Usage credits, which cover usage before it is billed.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription that has the credits.'),
    ...withId('usageMeter', UsageMeter, 'The usage meter that the credits cover.'),
    ...withId('customer', Customer, 'The customer.'),
    amount: decimal('The granted amount.'),
    remaining: t.field({
      type: 'Decimal',
      description: 'The remaining amount; 0 after expiry.',
      resolve: async (credit, _args, session) =>
        (await hasRunOut(session, credit)) ? '0' : credit.remaining,
    }),
    expired: t.field({
      type: 'Decimal',
      description: 'The amount that expired unused.',
      resolve: async (credit, _args, session) =>
        (await hasRunOut(session, credit))
          ? decimalText(unitsOf(credit.expired) + unitsOf(credit.remaining))
          : credit.expired,
    }),
    expiresAt: nullable.time('The time when the credits expire; null for never.'),
    priority: int('The priority from 0 to 100; credits with a lower number are used first.'),
    source: of(UsageCreditSource, 'The source of the credits.'),
    sourceId: nullable.id('The subscription item feature that granted the credits.'),
    sourceObject: t.node({
      id: ({ sourceId }, _args, session) => nodeId(sourceId, session),
      description: 'The feature of a subscription item that granted the credits; null otherwise.',
    }),
    billingPeriodId: t.id({
      nullable: true,
      description: 'The billing period of the grant; null for credits that are granted once.',
      resolve: ({ billingPeriodId }) => billingPeriodId || null,
    }),
    billingPeriod: optionalReference(
      BillingPeriod,
      'billingPeriodId',
      'The billing period of the grant; null for credits that are granted once.',
    ),
    reason: nullable.text('The reason of the grant.'),
    rollover: t.field({
      type: UsageCreditRollover,
      nullable: true,
      description: 'How the credits roll over; null where they do not.',
      resolve: (credit) =>
        credit.rolloverPeriods == null
          ? null
          : Object.assign(credit, { rolloverPeriods: credit.rolloverPeriods }),
    }),
  }),
});

readable({
  one: 'usageCredit',
  many: 'usageCredits',
  noun: 'usage credit',
  entity: UsageCredit,
  where: {
    customer: byId('customerId', 'The customer.'),
    subscription: byId('subscriptionId', 'The subscription.'),
    usageMeter: byId('usageMeterId', 'The usage meter.'),
    billingPeriod: byId('billingPeriodId', 'The billing period of the grant.'),
    source: byEnum(UsageCreditSource, 'source', 'The source.'),
    expiresAt: byTime('expiresAt', 'The time from which the credit cannot be used.'),
    amount: byDecimal('amount', 'The granted units.'),
    remaining: byDecimal('remaining', 'The remaining units.'),
  },
  orders: {
    expires_at: { property: 'expiresAt', kind: 'time', nullable: true, words: 'expiry' },
  },
});
