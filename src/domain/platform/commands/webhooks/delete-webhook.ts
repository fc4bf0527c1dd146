import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { statement } from '#engines/lockstep/statement.ts';

export const deleteWebhookInput = z.object({ id: z.string() });

/**
 * Deletes an endpoint with its deliveries: pending ones are not sent any more, and one that is being sent is not
 * recorded. Its event goes to the other webhooks. Returns the deleted webhook. Errors: NOT_FOUND.
 */
export async function deleteWebhook(
  session: Session,
  { id }: z.output<typeof deleteWebhookInput>,
): Promise<Webhook> {
  // Earlier events do not wait for the lock of the webhook.
  await sequenceCommitted(session.em);

  return command(session, async ({ em, pricingModelId }) => {
    await em.findOneOrFail(Webhook, id);
    // Before the lock, which events of others wait for: an endpoint may have many deliveries.
    await statement(
      em,
      'delete deliveries',
      'delete from webhook_delivery where webhook_id = $1 and pricing_model_id = $2',
      [id, pricingModelId],
    );
    const webhook = await em.findOneOrFail(Webhook, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    em.remove(webhook);
    await em.flush();
    return webhook;
  });
}
