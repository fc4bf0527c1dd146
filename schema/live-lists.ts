import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { Event } from '#domain/model/platform/event.ts';
import { eventTypes } from '#domain/model/platform/event-types.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { deliveriesSince } from '#domain/platform/commands/webhook-deliveries/deliveries-since.ts';
import { rowsChangedBy } from '#domain/platform/feed/changed-rows.ts';
import { changedUsageEvents, usageEventsWithIds } from '#domain/recording/changed-usage-events.ts';
import { liveList } from './engine/live-list.ts';

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
  sweepTypes: ['customer.deleted'],
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
  sweepTypes: ['customer.deleted'],
  idsOf: each(({ objectId }) => objectId),
});

liveList({
  many: 'consolidatedInvoices',
  name: 'ConsolidatedInvoice',
  plural: 'consolidated invoices',
  entity: ConsolidatedInvoice,
  further: ' A consolidated invoice changes with its invoices.',
  types: typesOf('consolidated_invoice'),
  sweepTypes: ['customer.deleted'],
  idsOf: each(({ objectId }) => objectId),
});

liveList({
  many: 'payments',
  name: 'Payment',
  plural: 'payments',
  entity: Payment,
  types: typesOf('payment'),
  sweepTypes: ['customer.deleted'],
  idsOf: each(({ objectId }) => objectId),
});

liveList({
  many: 'usageEvents',
  name: 'UsageEvent',
  plural: 'usage events',
  entity: UsageEvent,
  types: typesOf('usage_event'),
  sweepTypes: ['customer.deleted'],
  idsOf: changedUsageEvents,
  withIds: usageEventsWithIds,
});

liveList({
  many: 'webhookDeliveries',
  name: 'WebhookDelivery',
  plural: 'deliveries',
  entity: WebhookDelivery,
  further:
    ' Attempts have no place in the feed: after a sequence, recently changed deliveries come again.',
  errors: 'SERVICE_UNAVAILABLE when changes may have been missed',
  changesAfter: (context, after) =>
    rowsChangedBy(
      context,
      {
        watch: () => context.watchDeliveries({}),
        idsSince: deliveriesSince,
        sweepTypes: ['webhook.deleted'],
      },
      after,
    ),
});
