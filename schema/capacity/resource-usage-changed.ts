import {
  type ResourceUsageChange as Change,
  resourceUsageChanges,
} from '#domain/capacity/commands/resource-claims/resource-usage-changes.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { of } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { ResourceUsage } from './resource-usage.ts';

const ResourceUsageChange = object<Change>('ResourceUsageChange')({
  description: 'The resource usage of a subscription at a position in the change feed.',
  fields: (t) => ({
    asOfSequence: of(
      'Sequence',
      'The sequence of the last event included; resume the feed after it.',
    ),
    usages: t.field({
      type: [ResourceUsage],
      description: `The usage of each resource, by slug; ${atMostBelow}.`,
      resolve: ({ usages }) => upToMost(usages),
    }),
  }),
});

builder.subscriptionField('resourceUsageChanged', (t) =>
  t.field({
    type: ResourceUsageChange,
    description:
      'Emits the resource usage of a subscription immediately and after each change, including expiring claims. Errors: NOT_FOUND.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
    },
    subscribe: async (_root, { subscriptionId }, session) =>
      (await resourceUsageChanges(session, subscriptionId)) as AsyncIterable<never>,
    resolve: (change) => change as Change,
  }),
);
