import type { Recorded } from '#domain/rules/recording/record-calls.ts';
import {
  recordUsageEvents,
  recordUsageEventsInput,
} from '#domain/rules/recording/record-usage-events.ts';
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
import { voidUsageEvent, voidUsageEventInput } from '#domain/usage-events/void-usage-event.ts';
import { builder } from './engine/builder.ts';

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
