import { DomainError } from '#domain/kernel/errors.ts';
import { rehearse } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import { endSubscription } from '#domain/subscriptions/lifecycle/end-subscription.ts';
import {
  type Cancellation,
  type CancelSubscriptionInput,
  requireOwnCancellation,
} from './cancellation-input.ts';
import { type CancellationEffect, makeCancellation } from './make-cancellation.ts';

/** The effect of a cancellation; only the reason where it is not possible. */
export interface PreviewedCancellation extends Partial<CancellationEffect> {
  readonly subscription: Subscription;
  readonly canCancel: boolean;
  /** The reason why it is impossible; null when it is possible. */
  readonly reason: string | null;
  readonly previewGeneratedAt: Date;
}

/**
 * Previews a cancellation with the real computation, and writes nothing. The amounts of an end at a date are those of
 * the present charges. An impossible one is returned with its reason. Errors: NOT_FOUND; FORBIDDEN for a customer that
 * asks for a credit.
 */
export async function previewCancellation(
  session: Session,
  { id, cancellation }: CancelSubscriptionInput,
): Promise<PreviewedCancellation> {
  requireOwnCancellation(session, cancellation);
  return lockCaughtUp(afresh(session), id, async ({ session, subscription }) => {
    const previewed = { subscription, previewGeneratedAt: session.now };
    if (subscription.isTerminal) {
      const reason = `${id} is ${subscription.status}, which is final`;
      return { ...previewed, canCancel: false, reason };
    }
    try {
      const effect = await rehearsedEffect(session, id, cancellation);
      return { ...previewed, canCancel: true, reason: null, ...effect };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      return { ...previewed, canCancel: false, reason: refusalReason(error) };
    }
  });
}

async function rehearsedEffect(session: Session, id: string, cancellation: Cancellation) {
  let effect: CancellationEffect | undefined;
  await rehearse(session, async (session) => {
    const subscription = await session.em.findOneOrFail(Subscription, id);
    effect = await makeCancellation(session, subscription, cancellation);
    const { endsAt } = effect;
    const { currentBillingPeriodEnd: end, cancellationCredit: credit = null } = subscription;
    if (subscription.isTerminal || !end || endsAt >= end) return;
    await session.em.flush();
    const ending = { reason: null, credit, thenFreePlan: false };
    const returned = await endSubscription(atInstant(session, endsAt), subscription, ending);
    effect = { ...effect, ...returned };
  });
  // A rehearsal moves the instant of the transaction.
  atInstant(session, session.now);
  return effect;
}
