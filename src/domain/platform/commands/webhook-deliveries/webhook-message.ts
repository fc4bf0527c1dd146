import { signatureOf } from '#domain/kernel/security/signature.ts';
import { openSecret } from '#domain/model/platform/webhook.ts';
import { openedData } from '#domain/platform/feed/opened-data.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The request to an endpoint: the event, signed by Standard Webhooks, under both names of the headers that receivers
 * check. While a secret is being replaced, the old one signs, too.
 */
export function webhookMessage(
  { event, secrets, webhookId }: ClaimedDelivery,
  now: Date,
): WebhookMessage {
  const body = JSON.stringify(bodyOf(event));
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = secrets
    .map((secret) => signatureOf(openSecret(webhookId, secret), `${event.id}.${timestamp}.${body}`))
    .join(' ');
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Tollgate-Webhooks/1',
    ...named('webhook', event.id, timestamp, signature),
    ...named('svix', event.id, timestamp, signature),
  };
  return { headers, body };
}

const named = (prefix: string, id: string, timestamp: string, signature: string) => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: timestamp,
  [`${prefix}-signature`]: signature,
});

/** The event as the feed shows it, with the fields that receivers of the older, compact body read. */
function bodyOf({ occurredAt, objectType, ...event }: ClaimedDelivery['event']) {
  const { customerId, customerExternalId: externalId } = event;
  const { id, type, sequence, objectId, pricingModelId, actor } = event;
  return {
    id,
    type,
    sequence,
    timestamp: new Date(occurredAt).toISOString(),
    data: openedData({ objectType, objectId }, event.data),
    previousAttributes: openedData({ objectType, objectId }, event.previousAttributes),
    object: objectType.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    objectId,
    customer: customerId === null ? null : { id: customerId, externalId },
    pricingModelId,
    actor,
  };
}
