import { z } from 'zod';
import { command } from '../command.ts';
import { invalid } from '../errors.ts';
import { Event } from '../events/event.ts';
import { originColumns } from '../events/origin.ts';
import { sequenceEvents } from '../events/read-events.ts';
import { newId } from '../ids.ts';
import type { Session } from '../session.ts';
import { Webhook } from '../webhooks/webhook.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

export const sendTestEventInput = z.object({ id: z.string() });

/**
 * Sends an endpoint a `webhook.test` event, whatever it listens to, and nobody else; it is signed, tried and
 * kept like any other. Errors: NOT_FOUND; BAD_REQUEST when the webhook is not active.
 */
export async function sendTestEvent(
  session: Session,
  { id }: z.output<typeof sendTestEventInput>,
): Promise<WebhookDelivery> {
  const eventId = newId('evt');
  await command(session, async ({ em, now, ...scope }) => {
    const webhook = await em.findOneOrFail(Webhook, id);
    const { name, url, active, version, livemode, organizationId, pricingModelId } = webhook;
    if (!active) throw invalid('id', `${id} is not active: activate it first`);
    em.create(Event, {
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
    });
  });
  // Its number brings the delivery with it.
  await sequenceEvents(session.em);
  return session.em.findOneOrFail(WebhookDelivery, { eventId });
}
