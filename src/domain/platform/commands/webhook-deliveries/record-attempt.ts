import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { later } from '#domain/kernel/columns.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { type DeliveryAttempt, WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { nextAttemptAt } from './attempt-schedule.ts';

/** The result of an attempt. */
export interface AttemptOutcome extends DeliveryAttempt {
  /** The pause before the next attempt that the endpoint has requested. */
  readonly retryAfterMilliseconds?: number;
}

const keptAttempts = 20;
/** An endpoint without a success for this long is disabled. */
const longestFailureMilliseconds = 5 * 86_400_000;
const gone = 410;

/**
 * Records an attempt and its consequence: done, another attempt, or failed after the last one. The next delivery of
 * the same object becomes due when this one is done. A failing endpoint is disabled immediately when it responds with
 * 410 (gone), otherwise after 5 days without any success. An attempt whose claim has expired changes nothing.
 */
export function recordAttempt(
  session: Session,
  { id, claim }: { id: string; claim: string },
  { retryAfterMilliseconds, ...attempt }: AttemptOutcome,
): Promise<void> {
  return command(session, async (session) => {
    const { em, now } = session;
    const delivery = await em.findOne(
      WebhookDelivery,
      { id, claim },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!delivery) return;
    const made = delivery.attemptCount + 1;
    const ended = attempt.error === null || attempt.responseStatus === gone;
    const next = ended ? undefined : nextAttemptAt(id, made, now, retryAfterMilliseconds);
    em.assign(delivery, {
      updatedAt: later(delivery.updatedAt, now),
      attemptCount: made,
      attempts: [...delivery.attempts, attempt].slice(-keptAttempts),
      status: attempt.error === null ? 'delivered' : next ? 'pending' : 'failed',
      nextAttemptAt: next ?? null,
      deliveredAt: attempt.error === null ? now : null,
      claim: null,
      claimedUntil: null,
    });
    await em.flush();
    if (!next) await releaseNext(em, delivery, now);
    await rememberHealth(session, delivery.webhookId, attempt);
  });
}

/**
 * Makes the deliveries that waited behind a finished one due. The next claim checks whether another one precedes
 * them: two that finish at the same moment do not see each other.
 */
async function releaseNext(em: EntityManager, { webhookId, objectId }: WebhookDelivery, now: Date) {
  await em.execute(
    `update webhook_delivery set next_attempt_at = ? where status = 'pending' and next_attempt_at is null
       and id = (select id from webhook_delivery where webhook_id = ? and object_id = ? and status = 'pending'
         and next_attempt_at is null order by sequence limit 1)`,
    [now, webhookId, objectId],
  );
}

/** The start of an endpoint's failures emits no event; that it is disabled does. */
async function rememberHealth(session: Session, webhookId: string, attempt: DeliveryAttempt) {
  const { em, now } = session;
  if (attempt.error === null) {
    await em.nativeUpdate(
      Webhook,
      { id: webhookId, failingSince: { $ne: null } },
      { failingSince: null },
    );
    return;
  }
  await em.nativeUpdate(Webhook, { id: webhookId, failingSince: null }, { failingSince: now });
  const since = new Date(now.getTime() - longestFailureMilliseconds);
  const failing = { id: webhookId, active: true };
  const webhook = await em.findOne(
    Webhook,
    attempt.responseStatus === gone ? failing : { ...failing, failingSince: { $lte: since } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  webhook?.disable(
    attempt.responseStatus === gone
      ? 'The endpoint has answered 410 Gone'
      : 'Every attempt of the last five days has failed',
  );
}
