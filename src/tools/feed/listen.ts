import { sendWebhook } from '#cron/send-webhook.ts';
import {
  signedMessage,
  webhookBody,
} from '#domain/platform/commands/webhook-deliveries/webhook-message.ts';
import { newSigningSecret } from '#domain/platform/commands/webhooks/signing-secret.ts';
import type { Terminal } from '../terminal.ts';
import type { ListenArguments } from './arguments.ts';
import type { FeedEvent } from './follow-feed.ts';
import { told } from './tail.ts';

/**
 * Sends each event of a feed once to an address, as the service sends webhooks, and prints the status of the answer.
 * Events wait for the answers to those before them. Errors: UserError.
 */
export async function listen(
  { feed, json, target, secret = newSigningSecret() }: ListenArguments,
  terminal: Terminal,
) {
  terminal.tell(`Signing secret: ${secret}\n`);
  for await (const event of told(feed, terminal)) {
    const { id, sequence, type, objectId } = event;
    const message = signedMessage(id, bodyOf(event), [secret], new Date());
    const address = { url: target, livemode: false, allowPrivate: true };
    const { responseStatus, error, durationMilliseconds } = await sendWebhook(address, message);
    const status = responseStatus ?? error;
    terminal.print(
      json
        ? `${JSON.stringify({ id, sequence, type, objectId, responseStatus, error, durationMilliseconds })}\n`
        : `${sequence} ${type} ${objectId} → ${status} (${durationMilliseconds} ms)\n`,
    );
  }
}

const bodyOf = ({ customer, occurredAt, ...event }: FeedEvent) =>
  webhookBody({
    ...event,
    occurredAt: new Date(occurredAt).toISOString(),
    customerId: customer?.id ?? null,
    customerExternalId: customer?.externalId ?? null,
  });
