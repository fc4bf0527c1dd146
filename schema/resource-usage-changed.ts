import { type EventType, eventTypes } from '#domain/events/event-types.ts';
import { lastSequence } from '#domain/events/read-events.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { nextUsageChange } from '#domain/rules/capacity/next-usage-change.ts';
import type { ResourceUsage as Usage } from '#domain/rules/capacity/resource-usage.ts';
import { resourceUsagesOf } from '#domain/rules/capacity/resource-usages.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { orUntil, throttled } from './engine/throttled.ts';
import { ResourceUsage } from './resource-usage.ts';

/** The types of objects whose changes can affect the resource usage of a subscription. */
const types: EventType[] = eventTypes.filter((type) =>
  /^(resource_claim|reservation|subscription|subscription_item|subscription_item_feature|billing_run)\./.test(
    type,
  ),
);

/** 10,000 claims of one call are emitted together. */
const pauseMilliseconds = 50;

interface UsageChange {
  readonly asOfSequence: number;
  readonly usages: readonly Usage[];
}

const ResourceUsageChange = builder.objectRef<UsageChange>('ResourceUsageChange').implement({
  description: 'The resource usage of a subscription at a position in the change feed.',
  fields: (t) => ({
    asOfSequence: t.expose('asOfSequence', {
      type: 'Sequence',
      description: 'The sequence of the last event included; resume the feed after it.',
    }),
    usages: t.field({
      type: [ResourceUsage],
      description: 'The usage of each resource, by slug.',
      resolve: ({ usages }) => usages,
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
    subscribe: async (_root, { subscriptionId }, session) => {
      const { customerId, testClockId } = await session.em.findOneOrFail(
        Subscription,
        subscriptionId,
      );
      const changes = [await session.follow({ customerId, types })];
      if (testClockId) changes.push(await session.follow({ objectId: testClockId }));
      const news = throttled(changes, pauseMilliseconds);
      const differing = differences(session, subscriptionId, news);
      const leave = differing.return.bind(differing);
      // While it waits for a change it cannot be left, so what it waits for is ended first.
      differing.return = async (value) => {
        await news.return?.();
        return leave(value);
      };
      return differing as AsyncIterable<never>;
    },
    resolve: (change) => change as UsageChange,
  }),
);

/** Passes on only what makes a difference; also looks when time alone makes one. */
async function* differences(
  session: Session,
  subscriptionId: string,
  news: AsyncIterableIterator<object>,
): AsyncGenerator<UsageChange> {
  let known = '';
  let next = news.next();
  for (;;) {
    const { change, until } = await present(session, subscriptionId);
    const found = JSON.stringify(change.usages);
    if (found !== known) {
      known = found;
      yield change;
    }
    const woken = await orUntil(next, until);
    if (woken?.done) return;
    if (woken) next = news.next();
  }
}

/** The place in the feed is taken first, so that what is read contains all that lies before it. */
async function present(session: Session, subscriptionId: string) {
  const { em, apiKeyId, ...scope } = session;
  const fresh = openSession(em, { ...scope, now: await presentOf(em) }, apiKeyId);
  const asOfSequence = await lastSequence(fresh.em);
  const subscription = await fresh.em.findOneOrFail(Subscription, subscriptionId);
  const usages = (await resourceUsagesOf(fresh, [subscription])).map(
    ({ at: _, ...usage }) => usage,
  );
  return { change: { asOfSequence, usages }, until: await nextUsageChange(fresh, subscription) };
}
