import { type RefusedUsage, UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { readAcceptance } from '#domain/recording/commands/usage-acceptances/usage-acceptance.ts';
import { mostEvents } from '#domain/recording/usage-event-input.ts';
import { id, int, json, of, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { object, record } from '../engine/types.ts';
import { byId, byTime } from '../engine/where.ts';
import { UsageAcceptanceRef } from './usage-acceptances.ts';

const RefusedUsageEvent = object<RefusedUsage>('RefusedUsageEvent')({
  description: 'An accepted event that was not counted.',
  fields: () => ({
    event: json('The event as it was reported.'),
    issues: of('JSON', 'The reasons: each has a code, the path of the field, and a message.'),
  }),
});

record(UsageRefusal, {
  description: 'Accepted usage that was refused when it was to be counted. It changes no balance.',
  fields: (t) => ({
    acceptanceId: id('The position that the acceptance was answered with.'),
    acceptance: t.field({
      type: UsageAcceptanceRef,
      description: 'The acceptance, with the number of its events that wait.',
      resolve: ({ acceptanceId }, _args, session) => readAcceptance(session, acceptanceId),
    }),
    acceptedAt: time('The time of the acceptance.'),
    count: int('The number of refused events.'),
    events: of(
      [RefusedUsageEvent],
      `The refused events with the reasons; at most ${mostEvents.toLocaleString('en-US')}.`,
    ),
  }),
});

readable({
  one: 'usageRefusal',
  many: 'usageRefusals',
  noun: 'refusal of accepted usage',
  entity: UsageRefusal,
  where: {
    acceptance: byId('acceptanceId', 'The position of the acceptance.'),
    acceptedAt: byTime('acceptedAt', 'The time of the acceptance.'),
  },
});
