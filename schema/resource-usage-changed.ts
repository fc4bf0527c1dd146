import {
  type ResourceUsageChange as Change,
  resourceUsageChanges,
} from '#domain/resource-claims/resource-usage-changes.ts';
import { builder } from './engine/builder.ts';
import { ResourceUsage } from './resource-usage.ts';

const ResourceUsageChange = builder.objectRef<Change>('ResourceUsageChange').implement({
  description: 'How the resources of a subscription stand at a place in the change feed.',
  fields: (t) => ({
    asOfSequence: t.expose('asOfSequence', {
      type: 'Sequence',
      description: 'All events up to this one are contained; go on in the feed after it.',
    }),
    usages: t.field({
      type: [ResourceUsage],
      description: 'Each resource, by slug.',
      resolve: ({ usages }) => usages,
    }),
  }),
});

builder.subscriptionField('resourceUsageChanged', (t) =>
  t.field({
    type: ResourceUsageChange,
    description:
      'How the resources of a subscription stand: at once, and again each time that it is different, also when claims expire. Errors: NOT_FOUND.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
    },
    subscribe: async (_root, { subscriptionId }, session) =>
      (await resourceUsageChanges(session, subscriptionId)) as AsyncIterable<never>,
    resolve: (change) => change as Change,
  }),
);
