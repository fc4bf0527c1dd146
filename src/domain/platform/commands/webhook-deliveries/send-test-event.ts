import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { originColumns } from '#domain/platform/feed/origin.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { writeEvents } from '#domain/platform/feed/write-events.ts';

export const sendTestEventInput = z.object({ id: z.string() });

/**
 * Sends a `webhook.test` event to one endpoint, whatever its types; it is signed, retried and kept like any other.
 * Errors: NOT_FOUND; BAD_REQUEST when the webhook is not active.
 */
export async function sendTestEvent(
  session: Session,
  { id }: z.output<typeof sendTestEventInput>,
): Promise<WebhookDelivery> {
  const eventId = newId('evt');
  await command(session, async ({ em, now, ...scope }) => {
    const webhook = await em.findOneOrFail(Webhook, id);
    const { name, url, active, version, livemode, organizationId, pricingModelId } = webhook;
    if (!active) throw invalid('ARCHIVED', 'id', `${id} is not active: activate it first`);
    await writeEvents(em, [
      {
        id: eventId,
        type: 'webhook.test',
        objectType: 'Webhook',
        objectId: id,
        objectVersion: version,
        data: { id, name, url },
        previousAttributes: null,
        customerId: null,
        livemode,
        organizationId,
        pricingModelId,
        occurredAt: now,
        ...originColumns(scope),
      },
    ]);
  });
  // The sequencing of the event inserts the delivery.
  await sequenceEvents(session.em);
  return session.em.findOneOrFail(WebhookDelivery, { eventId });
}
