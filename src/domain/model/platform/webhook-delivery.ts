import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { EventType } from './event-types.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** One request to an endpoint and its result. */
export interface DeliveryAttempt {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMilliseconds: number;
  /** The status of the response; null when there was none. */
  readonly responseStatus: number | null;
  /** The first 4 KiB of the response. */
  readonly responseBody: string | null;
  /** Why it counts as failed; null when it does not. */
  readonly error: string | null;
}

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  uniques: [{ name: 'webhook_delivery_once', properties: ['eventId', 'webhookId'] }],
  indexes: [
    pageIndex('webhook_delivery'),
    {
      name: 'webhook_delivery_webhook_page',
      properties: ['webhookId', 'createdAt', 'position', 'id'],
    },
    // A client that resumes a live list reads the changes since then.
    { name: 'webhook_delivery_changed', properties: ['pricingModelId', 'updatedAt', 'id'] },
    {
      name: 'webhook_delivery_due',
      properties: ['webhookId', 'nextAttemptAt', 'sequence'],
      where: { status: 'pending', nextAttemptAt: { $ne: null } },
    },
    {
      name: 'webhook_delivery_lane',
      properties: ['webhookId', 'objectId', 'sequence'],
      where: { status: 'pending' },
    },
    // Operators watch how many have failed for good.
    { name: 'webhook_delivery_failed', properties: ['updatedAt'], where: { status: 'failed' } },
    // A small index, however many are pending: each claim counts those of an endpoint.
    {
      name: 'webhook_delivery_held',
      properties: ['webhookId', 'claimedUntil'],
      where: { claimedUntil: { $ne: null } },
    },
  ],
  properties: {
    id: p.string().primary(),
    createdAt: instant(),
    updatedAt: instant(),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    webhookId: p.string(),
    eventId: p.string(),
    eventType: p.string().$type<EventType>(),
    /** The event's place in the feed: deliveries of one object to one endpoint follow this order. */
    sequence: safeInteger(),
    position: safeInteger().generated('("sequence") stored').hidden(),
    objectId: p.string(),
    status: p.enum(deliveryStatuses).default('pending'),
    /** Attempts since the delivery was last requested; they decide when the next one is due. */
    attemptCount: p.integer().default(0),
    attempts: p.json<readonly DeliveryAttempt[]>().defaultRaw(`'[]'`),
    /** Null when there is none, and while an earlier delivery of the same object is not done. */
    nextAttemptAt: instant().nullable(),
    deliveredAt: instant().nullable(),
    /** The attempt that has claimed the row, and until when; an attempt that does not end is repeated. */
    claim: p.string().nullable().hidden(),
    claimedUntil: instant().nullable().hidden(),
  },
});

/** The delivery of one event to one endpoint, with its status. Inserted when the event gets its sequence. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
