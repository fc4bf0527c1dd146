import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import {
  type Acceptance,
  acceptUsageEvent,
  acceptUsageEvents,
} from '#domain/recording/commands/usage-events/accept-usage-events.ts';
import {
  type RecordedEvent,
  recordUsageEvent,
  recordUsageEventInput,
} from '#domain/recording/commands/usage-events/record-usage-event.ts';
import {
  replaceUsageEvent,
  replaceUsageEventInput,
} from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import {
  voidUsageEvent,
  voidUsageEventInput,
} from '#domain/recording/commands/usage-events/void-usage-event.ts';
import {
  recordUsageEvents,
  recordUsageEventsInput,
} from '#domain/recording/present/record-usage-events.ts';
import type { Recorded } from '#domain/recording/record-calls.ts';
import { mostEvents } from '#domain/recording/usage-event-input.ts';
import { decimal, id, int, nullable, of, text, time } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { payloadName } from '../engine/payload.ts';
import { input, object } from '../engine/types.ts';

const UsageEventInput = input('UsageEventInput', {
  description:
    'Usage to record for a subscription or a customer. Exactly one of the last four fields names the meter.',
  fields: {
    subscriptionId: nullable.id(
      'The subscription to record usage against; required without a customer.',
    ),
    customerId: nullable.id(
      'The id of the customer; usage is recorded for its current subscription. With several, the one with credits of the meter is used.',
    ),
    customerExternalId: nullable.text('Your own id of the customer; alternative to `customerId`.'),
    amount: decimal('The amount, greater than 0.'),
    transactionId: text('Your own id of this usage; a repeated report changes nothing.'),
    usageDate: nullable.time('The time of use; now when absent.'),
    properties: nullable.json('Further properties, a JSON object of at most 8 KiB.'),
    priceId: nullable.id('The id of the usage price.'),
    priceSlug: nullable.text('The slug of an active usage price.'),
    usageMeterId: nullable.id('The id of the usage meter, whose default price applies.'),
    usageMeterSlug: nullable.text('The slug of the usage meter, whose default price applies.'),
  },
});

const RecordUsageEventPayload = object<RecordedEvent>('RecordUsageEventPayload')({
  description: 'The result for a reported event.',
  fields: (t) => ({
    usageEvent: of(UsageEvent, 'The event; the first one when it had been reported before.'),
    duplicates: t.int({
      description: '1 when the event had been reported before, otherwise 0.',
      resolve: ({ repeated }) => Number(repeated),
    }),
  }),
});

const RecordUsageEventsPayload = object<Recorded>('RecordUsageEventsPayload')({
  description: 'The result for the reported events.',
  fields: (t) => ({
    usageEvents: t.field({
      type: [UsageEvent],
      description: `The new events, in the order of the request; at most ${mostEvents.toLocaleString('en-US')}.`,
      args: {
        all: t.arg.boolean({
          description: 'Whether to include events that had been reported before.',
        }),
      },
      resolve: ({ events, repeated }, { all }) =>
        all ? [...events] : events.filter((_event, place) => !repeated[place]),
    }),
    duplicates: t.int({
      description:
        'The number of events that had been reported before, in this request or an earlier one.',
      resolve: ({ repeated }) => repeated.filter(Boolean).length,
    }),
  }),
});

const ReplaceUsageEventInput = input('ReplaceUsageEventInput', {
  description: 'The replacement of a usage event; absent fields keep their values.',
  fields: {
    amount: decimal('The amount, greater than 0.'),
    transactionId: text('Your own new id of this usage.'),
    usageDate: nullable.time('The time of use.'),
    properties: nullable.json('Further properties, a JSON object of at most 8 KiB.'),
  },
});

const accepted = (mutation: 'acceptUsageEvent' | 'acceptUsageEvents') =>
  object<Acceptance>(payloadName(mutation))({
    description: 'The receipt for accepted usage, which is stored durably and counted soon.',
    fields: () => ({
      position: id('The position in the inbox; `usageAcceptance` shows its state.'),
      count: int('The number of accepted events.'),
      acceptedAt: time('The time of the acceptance; events without `usageDate` were used then.'),
    }),
  });

const accepts =
  'stores usage durably, and counts it soon. Balances, entitlements, previews, invoices and changes of its subscriptions include it from the answer on. Events that cannot be counted become a refusal (`usageRefusals`, event `usage_refusal.created`). Errors: BAD_REQUEST for an event of a wrong form.';

mutation('acceptUsageEvent', {
  returns: accepted('acceptUsageEvent'),
  description: `Accepts one event: ${accepts}`,
  args: { usageEvent: of(UsageEventInput, 'The usage.') },
  input: recordUsageEventInput,
  command: acceptUsageEvent,
});

mutation('acceptUsageEvents', {
  returns: accepted('acceptUsageEvents'),
  description: `Accepts up to 10,000 events: ${accepts}`,
  args: { usageEvents: of([UsageEventInput], 'The usage.') },
  input: recordUsageEventsInput,
  command: acceptUsageEvents,
});

mutation('recordUsageEvent', {
  returns: RecordUsageEventPayload,
  description:
    'Records usage and updates the balance immediately. Errors: BAD_REQUEST for an unknown subscription, customer, meter or price, for a customer without or with several current subscriptions, and for another subscription’s transaction id.',
  args: { usageEvent: of(UsageEventInput, 'The usage.') },
  input: recordUsageEventInput,
  command: recordUsageEvent,
});

mutation('recordUsageEvents', {
  returns: RecordUsageEventsPayload,
  description:
    'Records up to 10,000 events, all or none, and updates the balances immediately. Errors: BAD_REQUEST with an issue for each invalid event.',
  args: { usageEvents: of([UsageEventInput], 'The usage, in the order in which it counts.') },
  input: recordUsageEventsInput,
  command: recordUsageEvents,
});

mutation('voidUsageEvent', {
  returns: [UsageEvent, 'The void usage event.'],
  description:
    'Voids a usage event and restores the balances; the next invoice corrects billed usage. Errors: NOT_FOUND; CONFLICT for an event that has already been voided or replaced.',
  args: {
    id: id('The id of the usage event.'),
    reason: text('The reason, for later reference.'),
  },
  input: voidUsageEventInput,
  command: voidUsageEvent,
});

mutation('replaceUsageEvent', {
  returns: [UsageEvent, 'The replacement.'],
  description:
    'Replaces a usage event by a new one and returns the new one. Errors: NOT_FOUND; CONFLICT for an event that has already been voided or replaced; BAD_REQUEST for a transaction id that is in use.',
  args: {
    id: id('The id of the usage event.'),
    usageEvent: of(ReplaceUsageEventInput, 'The replacement.'),
    reason: text('The reason, for later reference.'),
  },
  input: replaceUsageEventInput,
  command: replaceUsageEvent,
});
