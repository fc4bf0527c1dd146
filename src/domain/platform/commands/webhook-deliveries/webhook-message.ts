import { signatureOf } from '#domain/kernel/security/signature.ts';
import { openSecret } from '#domain/model/platform/webhook.ts';
import { openedData } from '#domain/platform/feed/opened-data.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/** An event for its receivers. Its actor may be one that this version does not know. */
type WebhookEvent = Omit<ClaimedDelivery['event'], 'type' | 'actor'> & {
  readonly type: string;
  readonly actor: { readonly type: string; readonly id: string } | null;
};

export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The request to an endpoint: the event, signed by Standard Webhooks. While a secret is being replaced, the old one
 * signs, too.
 */
export function webhookMessage(
  { event, secrets, webhookId }: ClaimedDelivery,
  now: Date,
): WebhookMessage {
  const body = webhookBody({
    ...event,
    data: openedData(event, event.data),
    previousAttributes: openedData(event, event.previousAttributes),
  });
  const opened = secrets.map((secret) => openSecret(webhookId, secret));
  return signedMessage(event.id, body, opened, now);
}

/** A request with a body that each secret signs, under both names of the headers that receivers check. */
export function signedMessage(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): WebhookMessage {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = secrets
    .map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
    .join(' ');
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Tollgate-Webhooks/1',
    ...named('webhook', id, timestamp, signature),
    ...named('svix', id, timestamp, signature),
  };
  return { headers, body };
}

const named = (prefix: string, id: string, timestamp: string, signature: string) => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: timestamp,
  [`${prefix}-signature`]: signature,
});

/** The event as the feed shows it, as JSON, with the fields that receivers of the older, compact body read. */
export function webhookBody(event: WebhookEvent): string {
  const { occurredAt, objectType, customerId, customerExternalId: externalId } = event;
  const { id, type, sequence, data, previousAttributes, objectId, pricingModelId, actor } = event;
  return JSON.stringify({
    id,
    type,
    sequence,
    timestamp: new Date(occurredAt).toISOString(),
    data,
    previousAttributes,
    object: objectType.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    objectId,
    customer: customerId === null ? null : { id: customerId, externalId },
    pricingModelId,
    actor,
  });
}
