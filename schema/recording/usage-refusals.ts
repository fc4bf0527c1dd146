import { type RefusedUsage, UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { readAcceptance } from '#domain/recording/commands/usage-acceptances/usage-acceptance.ts';
import { mostEvents } from '#domain/recording/usage-event-input.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byId, byTime } from '../engine/where.ts';
import { UsageAcceptanceRef } from './usage-acceptances.ts';

const RefusedUsageEvent = builder.objectRef<RefusedUsage>('RefusedUsageEvent').implement({
  description: 'An accepted event that was not counted.',
  fields: (t) => ({
    event: t.field({
      type: 'JSON',
      description: 'The event as it was reported.',
      resolve: ({ event }) => event,
    }),
    issues: t.field({
      type: 'JSON',
      description: 'The reasons: each has a code, the path of the field, and a message.',
      resolve: ({ issues }) => [...issues],
    }),
  }),
});

builder.node(UsageRefusal, {
  name: 'UsageRefusal',
  description: 'Accepted usage that was refused when it was to be counted. It changes no balance.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('usage_refusal'),
  loadOne: loadOne(UsageRefusal),
  fields: (t) => ({
    acceptanceId: t.exposeID('acceptanceId', {
      description: 'The position that the acceptance was answered with.',
    }),
    acceptance: t.field({
      type: UsageAcceptanceRef,
      description: 'The acceptance, with the number of its events that wait.',
      resolve: ({ acceptanceId }, _args, session) => readAcceptance(session, acceptanceId),
    }),
    acceptedAt: t.expose('acceptedAt', {
      type: 'Timestamp',
      description: 'The time of the acceptance.',
    }),
    count: t.exposeInt('count', { description: 'The number of refused events.' }),
    events: t.field({
      type: [RefusedUsageEvent],
      description: `The refused events with the reasons; at most ${mostEvents.toLocaleString('en-US')}.`,
      resolve: ({ events }) => events,
    }),
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
