import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { startOf } from '#domain/platform/feed/event-start.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';

export const replayWebhookInput = z
  .object({
    id: z.string(),
    after: z.int().min(0).nullish(),
    since: instantInput.nullish(),
  })
  .refine(...exactlyOne(['after', 'since']));

/** How many deliveries were made due. */
export interface Replay {
  readonly webhook: Webhook;
  readonly deliveries: number;
}

/**
 * Delivers again every event that matches an endpoint's types, after a sequence or since an instant. Earlier
 * deliveries do not matter; the events of each object keep their order. Errors: NOT_FOUND; BAD_REQUEST when it is not
 * active, and for events that have been deleted.
 */
export async function replayWebhook(
  session: Session,
  { id, after, since }: z.output<typeof replayWebhookInput>,
): Promise<Replay> {
  await sequenceCommitted(session.em);
  return command(session, async ({ em, now }) => {
    const webhook = await em.findOneOrFail(Webhook, id);
    if (!webhook.active) throw invalid('ARCHIVED', 'id', `${id} is not active: activate it first`);
    const start = await startOf(em, after ?? null);
    const [{ count }] = await em.execute<[{ count: string }]>(
      `with due as (
         insert into webhook_delivery as stored (id, created_at, updated_at, livemode, organization_id,
           pricing_model_id, webhook_id, event_id, event_type, sequence, object_id, next_attempt_at)
         select webhook_delivery_id(?, e.id), ?, ?, e.livemode, e.organization_id, e.pricing_model_id, ?, e.id,
           e.type, e.sequence, e.object_id, ?
         from event e where e.pricing_model_id = ? and e.sequence > ? and e.recorded_at >= ?
           and e.type in (select jsonb_array_elements_text(?::jsonb))
         on conflict (event_id, webhook_id) do update set status = 'pending', attempt_count = 0,
           next_attempt_at = excluded.next_attempt_at, delivered_at = null,
           updated_at = greatest(stored.updated_at, excluded.updated_at)
         where stored.claimed_until is null or stored.claimed_until <= excluded.updated_at
         returning 1)
       select count(*) as count from due`,
      [
        id,
        now,
        now,
        id,
        now,
        webhook.pricingModelId,
        start,
        since ?? new Date(0),
        JSON.stringify(webhook.filterTypes),
      ],
    );
    return { webhook, deliveries: Number(count) };
  });
}
