import { Customer } from '#domain/customers/customer.ts';
import type { Event } from '#domain/events/event.ts';
import { eventTypes } from '#domain/events/event-types.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { rowsChangedBy } from '#domain/rules/feed/changed-rows.ts';
import { listChanges } from '#domain/rules/feed/list-changes.ts';
import {
  changedUsageEvents,
  usageEventsWithIds,
} from '#domain/rules/recording/changed-usage-events.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';
import { WebhookDelivery } from '#domain/webhook-deliveries/webhook-delivery.ts';
import { builder } from './engine/builder.ts';
import {
  argumentsOf,
  followedOf,
  listChangeOf,
  liveList,
  snapshotMarks,
} from './engine/live-list.ts';

const typesOf = (...kinds: readonly string[]) =>
  eventTypes.filter((type) => kinds.some((kind) => type.startsWith(`${kind}.`)));

/** The rows that events concern, each once, in one batch. */
const each =
  (idOf: (event: Event) => string | null | undefined) =>
  (_session: Session, events: readonly Event[]) => [
    [...new Set(events.flatMap((event) => idOf(event) ?? []))],
  ];

liveList({
  many: 'customers',
  name: 'Customer',
  plural: 'customers',
  entity: Customer,
  further: ' A customer also changes with its subscriptions and invoices.',
  types: typesOf('customer', 'subscription', 'invoice'),
  idsOf: each(({ customerId }) => customerId),
});

liveList({
  many: 'subscriptions',
  name: 'Subscription',
  plural: 'subscriptions',
  entity: Subscription,
  further: ' A subscription also changes with its items.',
  types: typesOf('subscription', 'subscription_item'),
  idsOf: each(({ objectType, objectId, data }) =>
    objectType === 'Subscription' ? objectId : (data.subscriptionId as string | undefined),
  ),
});

liveList({
  many: 'invoices',
  name: 'Invoice',
  plural: 'invoices',
  entity: Invoice,
  types: typesOf('invoice'),
  idsOf: each(({ objectId }) => objectId),
});

liveList({
  many: 'payments',
  name: 'Payment',
  plural: 'payments',
  entity: Payment,
  types: typesOf('payment'),
  idsOf: each(({ objectId }) => objectId),
});

liveList({
  many: 'usageEvents',
  name: 'UsageEvent',
  plural: 'usage events',
  entity: UsageEvent,
  types: typesOf('usage_event'),
  idsOf: changedUsageEvents,
  withIds: usageEventsWithIds,
});

builder.subscriptionField('webhookDeliveries', (t) =>
  t.field({
    type: listChangeOf('WebhookDelivery', 'deliveries', WebhookDelivery),
    description:
      'Emits the first deliveries in their order, and then deliveries that enter, change and leave the list. Attempts have no place in the feed, so each connection starts with a snapshot. Errors: BAD_REQUEST for invalid conditions; SERVICE_UNAVAILABLE when changes may have been missed.',
    args: argumentsOf(t, WebhookDelivery),
    extensions: snapshotMarks,
    subscribe: async (_root, args, context) => {
      const followed = await followedOf(context, { entity: WebhookDelivery }, args);
      const changes = await rowsChangedBy(context, context.watchDeliveries({}));
      return listChanges(context, followed, changes) as AsyncIterable<never>;
    },
    resolve: (change) => change as never,
  }),
);
