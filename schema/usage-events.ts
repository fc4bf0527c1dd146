import { page } from '#domain/kernel/page.ts';
import { readUsageEvent } from '#domain/rules/recording/read-usage-events.ts';
import type { Recorded } from '#domain/rules/recording/record-calls.ts';
import {
  recordUsageEvents,
  recordUsageEventsInput,
} from '#domain/rules/recording/record-usage-events.ts';
import { usageEventPositionSql } from '#domain/usage-events/read-usage-event.ts';
import {
  type RecordedEvent,
  recordUsageEvent,
  recordUsageEventInput,
} from '#domain/usage-events/record-usage-event.ts';
import {
  replaceUsageEvent,
  replaceUsageEventInput,
} from '#domain/usage-events/replace-usage-event.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';
import { usageEventFilter } from '#domain/usage-events/usage-event-filter.ts';
import { voidUsageEvent, voidUsageEventInput } from '#domain/usage-events/void-usage-event.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';
import { OrganizationRecord, PricingModelRecord } from './engine/records.ts';

builder.node(UsageEvent, {
  name: 'UsageEvent',
  description: 'That something metered was used once.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`usage_event_…`' },
  loadOne: (id, session) => readUsageEvent(session, id).catch(() => null),
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

const UsageEventInput = builder.inputType('UsageEventInput', {
  description:
    'Usage as it is reported, of a subscription or of a customer; exactly one of the last four names the meter.',
  fields: (t) => ({
    subscriptionId: t.id({
      description: 'The subscription to record usage against; required without a customer.',
    }),
    customerId: t.id({
      description:
        'The customer, whose current subscription the usage is recorded against. With several current ones: the one with credits of the meter.',
    }),
    customerExternalId: t.string({ description: 'The same by the id of your own.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'How much, above 0.' }),
    transactionId: t.string({
      required: true,
      description: 'A name of your own for this use; reporting it again changes nothing.',
    }),
    usageDate: t.field({ type: 'Timestamp', description: 'When it was used; now when absent.' }),
    properties: t.field({
      type: 'JSON',
      description: 'More about it: an object of at most 8 KiB of JSON.',
    }),
    priceId: t.id({ description: 'The usage price with this id.' }),
    priceSlug: t.string({ description: 'The active usage price with this slug.' }),
    usageMeterId: t.id({ description: 'The usage meter with this id, at its default price.' }),
    usageMeterSlug: t.string({
      description: 'The usage meter with this slug, at its default price.',
    }),
  }),
});

const RecordUsageEventPayload = builder
  .objectRef<RecordedEvent>('RecordUsageEventPayload')
  .implement({
    description: 'What became of a reported event.',
    fields: (t) => ({
      usageEvent: t.expose('usageEvent', {
        type: UsageEvent,
        description: 'The event; the first one, if it had been reported before.',
      }),
      duplicates: t.int({
        description: '1 when it had been reported before, else 0.',
        resolve: ({ repeated }) => Number(repeated),
      }),
    }),
  });

const RecordUsageEventsPayload = builder.objectRef<Recorded>('RecordUsageEventsPayload').implement({
  description: 'What became of the reported events.',
  fields: (t) => ({
    usageEvents: t.field({
      type: [UsageEvent],
      description: 'The new events, in the order of the call.',
      args: {
        all: t.arg.boolean({
          description: 'Whether those are answered, too, that had been reported before.',
        }),
      },
      resolve: ({ events, repeated }, { all }) =>
        all ? [...events] : events.filter((_event, place) => !repeated[place]),
    }),
    duplicates: t.int({
      description: 'How many had been reported before, in another call or in this one.',
      resolve: ({ repeated }) => repeated.filter(Boolean).length,
    }),
  }),
});

const ReplaceUsageEventInput = builder.inputType('ReplaceUsageEventInput', {
  description: 'The event that is to count in place of another; what is absent is as it was.',
  fields: (t) => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'How much, above 0.' }),
    transactionId: t.string({ required: true, description: 'A new name of your own for it.' }),
    usageDate: t.field({ type: 'Timestamp', description: 'When it was used.' }),
    properties: t.field({ type: 'JSON', description: 'More about it: at most 8 KiB of JSON.' }),
  }),
});

builder.mutationFields((t) => ({
  recordUsageEvent: t.field({
    type: RecordUsageEventPayload,
    description:
      'Records usage and counts it in the balance at once. Errors: BAD_REQUEST for an unknown subscription, customer, meter or price, for a customer without a current subscription or with several, and for a transaction id of another subscription.',
    args: {
      usageEvent: t.arg({ type: UsageEventInput, required: true, description: 'The usage.' }),
    },
    validate: { schema: recordUsageEventInput },
    resolve: (_root, args, session) => recordUsageEvent(session, args),
  }),
  recordUsageEvents: t.field({
    type: RecordUsageEventsPayload,
    description:
      'Records up to 10,000 events, all or none, and counts them in the balances at once. Errors: BAD_REQUEST with an issue for each bad event.',
    args: {
      usageEvents: t.arg({
        type: [UsageEventInput],
        required: true,
        description: 'The usage, in the order in which it counts.',
      }),
    },
    validate: { schema: recordUsageEventsInput },
    resolve: (_root, args, session) => recordUsageEvents(session, args),
  }),
  voidUsageEvent: t.field({
    type: UsageEvent,
    description:
      'Takes a usage event back: balances are as if it had never been, and what was billed of it is made up for on the next invoice. Errors: NOT_FOUND; CONFLICT for one that counts no more.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the usage event.' }),
      reason: t.arg.string({ required: true, description: 'Why, for whoever looks at it later.' }),
    },
    validate: { schema: voidUsageEventInput },
    resolve: (_root, args, session) => voidUsageEvent(session, args),
  }),
  replaceUsageEvent: t.field({
    type: UsageEvent,
    description:
      'Takes a usage event back and records another one in its place, at once. Answers the new one. Errors: NOT_FOUND; CONFLICT for one that counts no more; BAD_REQUEST for a transaction id that is in use.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the usage event.' }),
      usageEvent: t.arg({
        type: ReplaceUsageEventInput,
        required: true,
        description: 'What is to count in its place.',
      }),
      reason: t.arg.string({ required: true, description: 'Why, for whoever looks at it later.' }),
    },
    validate: { schema: replaceUsageEventInput },
    resolve: (_root, args, session) => replaceUsageEvent(session, args),
  }),
}));
