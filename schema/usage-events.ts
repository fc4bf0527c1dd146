import { nullIfNotFound } from '#domain/kernel/errors.ts';
import { page } from '#domain/kernel/page.ts';
import { readUsageEvent } from '#domain/rules/recording/read-usage-events.ts';
import { usageEventPositionSql } from '#domain/usage-events/read-usage-event.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';
import { usageEventFilter } from '#domain/usage-events/usage-event-filter.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';
import { OrganizationRecord, PricingModelRecord } from './engine/readable.ts';

builder.node(UsageEvent, {
  name: 'UsageEvent',
  description: 'That something metered was used once.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`usage_event_…`' },
  loadOne: (id, session) => readUsageEvent(session, id).catch(nullIfNotFound),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'Who used it.' }),
    subscriptionId: t.exposeID('subscriptionId', { description: 'By what they may use it.' }),
    usageMeterId: t.exposeID('usageMeterId', { description: 'What counts it.' }),
    priceId: t.exposeID('priceId', { description: 'What it costs.' }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description:
        'The period that it counts for; null where the subscription has none, or has ended.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'How much was used, above 0.' }),
    usageDate: t.expose('usageDate', { type: 'Timestamp', description: 'When it was used.' }),
    transactionId: t.exposeString('transactionId', {
      description: 'What makes it known again: its meter counts a transaction id once.',
    }),
    properties: t.field({
      type: 'JSON',
      description: 'More about it, as it was reported; an empty object without any.',
      resolve: ({ properties }) => properties ?? {},
    }),
    voidedAt: t.expose('voidedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Since when it counts no more; null while it does.',
    }),
    voidReason: t.exposeString('voidReason', {
      nullable: true,
      description: 'Why it counts no more.',
    }),
    replacedById: t.exposeID('replacedById', {
      nullable: true,
      description: 'The event that counts in its place.',
    }),
  }),
});

builder.queryField('usageEvent', (t) =>
  t.field({
    type: UsageEvent,
    description: 'One usage event. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the usage event.' }) },
    resolve: (_root, { id }, session) => readUsageEvent(session, id),
  }),
);

const UsageEventProperty = builder.inputType('UsageEventPropertyInput', {
  description: 'A property that usage events have.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    value: t.field({ type: 'JSON', required: true, description: 'Its value.' }),
  }),
});

const UsageEventFilter = builder.inputType('UsageEventFilter', {
  description: 'Which usage events to list.',
  fields: (t) => ({
    subscription: t.id({ description: 'Of the subscription with this id.' }),
    usageMeter: t.id({ description: 'Of the usage meter with this id.' }),
    billingPeriod: t.id({ description: 'That count for the billing period with this id.' }),
    from: t.field({ type: 'Timestamp', description: 'Used at this time or later.' }),
    to: t.field({ type: 'Timestamp', description: 'Used before this time.' }),
    property: t.field({ type: UsageEventProperty, description: 'With this property.' }),
    voided: t.boolean({ description: 'That count no more (true) or do (false).' }),
  }),
});

builder.queryField('usageEvents', (t) =>
  t.connection(
    {
      type: UsageEvent as never,
      description: 'The usage events, oldest first. Errors: BAD_REQUEST for a bad size or cursor.',
      args: {
        filter: t.arg({
          type: UsageEventFilter,
          description: 'Only those that meet all of these.',
        }),
        orderBy: t.arg({ type: ListOrder, description: 'created_at_asc when absent.' }),
      },
      resolve: (_root, { filter, ...args }, session) =>
        page(session, UsageEvent, {
          ...args,
          filter: usageEventFilter(filter),
          positionSql: usageEventPositionSql,
        }) as never,
    },
    { name: 'UsageEventConnection', description: 'A page of usage events.' },
    { name: 'UsageEventEdge', description: 'A usage event and its place in the list.' },
  ),
);
