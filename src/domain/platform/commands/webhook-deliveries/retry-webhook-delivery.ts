import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { later } from '#domain/kernel/columns.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';

export const retryWebhookDeliveryInput = z.object({
  id: z.string(),
  webhookId: z.string().nullish(),
});

/**
 * Makes a delivery due now, with all its attempts again, whatever its status. One that is being sent is left alone.
 * Errors: NOT_FOUND; BAD_REQUEST when its webhook is not active.
 */
export function retryWebhookDelivery(
  session: Session,
  { id, webhookId }: z.output<typeof retryWebhookDeliveryInput>,
): Promise<WebhookDelivery> {
  return command(session, async ({ em, now }) => {
    const delivery = await em.findOneOrFail(
      WebhookDelivery,
      { id, ...(webhookId != null && { webhookId }) },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const webhook = await em.findOneOrFail(Webhook, delivery.webhookId);
    if (!webhook.active) {
      throw invalid(
        'ARCHIVED',
        'id',
        `belongs to ${webhook.id}, which is not active: activate it first`,
      );
    }
    if (delivery.claimedUntil && delivery.claimedUntil > now) return delivery;
    return em.assign(delivery, {
      updatedAt: later(delivery.updatedAt, now),
      status: 'pending',
      attemptCount: 0,
      nextAttemptAt: now,
      deliveredAt: null,
    });
  });
}
