import { decimalText, unitsOf } from '#domain/kernel/decimal.ts';
import { hasRunOut } from '#domain/rules/ledger/has-run-out.ts';
import { UsageCredit, usageCreditSources } from '#domain/usage-credits/usage-credit.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

const UsageCreditSource = builder.enumType('UsageCreditSource', {
  description: 'Where credits come from: a feature, one that was added by hand, or somebody.',
  values: usageCreditSources,
});

builder.node(UsageCredit, {
  name: 'UsageCredit',
  description: 'Usage that is covered before any has to be paid for.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`usage_credit_…`' },
  loadOne: (id, { em }) => em.findOne(UsageCredit, id),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription that has it.' }),
    usageMeterId: t.exposeID('usageMeterId', { description: 'The usage that it covers.' }),
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'What was given.' }),
    remaining: t.field({
      type: 'Decimal',
      description: 'What is left of it; 0 once it has run out.',
      resolve: async (credit, _args, session) =>
        (await hasRunOut(session, credit)) ? '0' : credit.remaining,
    }),
    expired: t.field({
      type: 'Decimal',
      description: 'What ran out unused.',
      resolve: async (credit, _args, session) =>
        (await hasRunOut(session, credit))
          ? decimalText(unitsOf(credit.expired) + unitsOf(credit.remaining))
          : credit.expired,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'From when on it cannot be used; null for never.',
    }),
    priority: t.exposeInt('priority', { description: 'From 0 to 100: lower ones are used first.' }),
    source: t.expose('source', { type: UsageCreditSource, description: 'Where it comes from.' }),
    sourceId: t.exposeID('sourceId', {
      nullable: true,
      description: 'The subscription item feature that gave it.',
    }),
    billingPeriodId: t.id({
      nullable: true,
      description: 'The period for which it was given; null for what is given once.',
      resolve: ({ billingPeriodId }) => billingPeriodId || null,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was given.' }),
  }),
});

const UsageCreditFilter = builder.inputType('UsageCreditFilter', {
  description: 'Which usage credits to list.',
  fields: (t) => ({
    subscriptionId: t.id({ description: 'Of the subscription with this id.' }),
    usageMeterId: t.id({ description: 'Of the usage meter with this id.' }),
    source: t.field({ type: UsageCreditSource, description: 'That come from there.' }),
  }),
});

readable({
  one: 'usageCredit',
  many: 'usageCredits',
  noun: 'usage credit',
  entity: UsageCredit,
  filter: UsageCreditFilter,
});
