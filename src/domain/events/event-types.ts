const resources = [
  'api_key',
  'billing_period',
  'billing_run',
  'customer_token',
  'dispute',
  'feature',
  'invoice',
  'invoice_line_item',
  'payment',
  'payment_method',
  'payment_method_setup',
  'price',
  'pricing_model',
  'processor_account',
  'processor_difference',
  'product',
  'product_feature',
  'refund',
  'remittance',
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
  'dispute.closed',
  'invoice.overdue',
  'invoice.paid',
  'invoice.reminder_due',
  'invoice.sent',
  'organization.updated',
  'payment.misconfigured',
  'payment.requires_action',
  'payment_method_setup.completed',
  'processor.difference',
  'processor_account.connected',
  'processor_account.disconnected',
  'processor_account.refused',
  'processor_difference.resolved',
  'payment.reversed',
  'remittance.canceled',
  'remittance.received',
  'remittance.reversed',
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
