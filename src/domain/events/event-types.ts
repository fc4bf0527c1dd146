const resources = [
  'api_key',
  'billing_period',
  'billing_run',
  'book_difference',
  'credit_note',
  'customer_token',
  'feature',
  'invoice',
  'invoice_line_item',
  'payment',
  'payment_method',
  'price',
  'pricing_model',
  'product',
  'product_feature',
  'refund',
  'reservation',
  'resource',
  'resource_claim',
  'subscription_item',
  'subscription_item_feature',
  'test_clock',
  'usage_credit',
  'usage_meter',
  'webhook',
] as const;

const documented = [
  'customer.created',
  'customer.updated',
  'purchase.completed',
  'payment.failed',
  'payment.succeeded',
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'sync.events_available',
] as const;

/** Event types besides the creation and the update of records. */
const further = [
  'customer.deleted',
  'invoice.paid',
  'organization.updated',
  'reservation.confirmed',
  'reservation.expired',
  'reservation.released',
  'resource_claim.expired',
  'resource_claim.released',
  'subscription.adjusted',
  'subscription.adjustment_canceled',
  'subscription.adjustment_scheduled',
  'subscription.trial_ended',
  'test_clock.deleted',
  'usage_credit.expired',
  'usage_event.recorded',
  'usage_event.replaced',
  'usage_event.voided',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.test',
] as const;

/** The type of an event: `created` and `updated` of each resource, and the types listed above. */
export type EventType =
  | (typeof documented)[number]
  | (typeof further)[number]
  | `${(typeof resources)[number]}.${'created' | 'updated'}`;

export const eventTypes: readonly EventType[] = [
  ...documented,
  ...further,
  ...resources.flatMap((name) => [`${name}.created`, `${name}.updated`] as const),
];
