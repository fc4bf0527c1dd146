import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { newId } from '#domain/kernel/ids.ts';
import { samePricingModel } from '#domain/kernel/same-pricing-model.ts';
import { type AddressRule, checkAddress } from '#domain/kernel/security/receiving-address.ts';
import type { Session } from '#domain/kernel/session.ts';
import { sealSecret, Webhook } from '#domain/model/platform/webhook.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { newSigningSecret } from './signing-secret.ts';
import { webhookFields } from './webhook-input.ts';

export const createWebhookInput = z.object({
  webhook: z.object({ ...webhookFields, pricingModelId: z.string().nullish() }),
});

export type CreateWebhookInput = z.output<typeof createWebhookInput>;

/**
 * Registers an endpoint; only this result contains its signing secret. Errors: BAD_REQUEST for an address that is not
 * public, or not https in live mode, and for another pricing model.
 */
export async function createWebhook(
  session: Session,
  { webhook }: CreateWebhookInput,
  rule: AddressRule = { allowPrivate: false },
) {
  const { pricingModelId, active, ...fields } = webhook;
  samePricingModel(session, 'webhook', pricingModelId);
  checkAddress(session, 'webhook.url', webhook.url, rule);
  const secret = newSigningSecret();
  // Earlier events are not delivered to it, even without a sequence yet.
  await sequenceCommitted(session.em);

  return command(session, async ({ em }) => {
    const id = newId('webhook');
    const stored = { id, active: active ?? true, secret: sealSecret(id, secret) };
    return { webhook: em.create(Webhook, { ...fields, ...stored }), secret };
  });
}
