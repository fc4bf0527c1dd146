import type { DeliveriesQuery } from './webhooks.generated.ts';

/** A delivery of an event to a webhook. */
export type Delivery = DeliveriesQuery['webhookDeliveries']['nodes'][number];
