import type { Session } from '#domain/kernel/session.ts';
import type { ReleaseReason } from '#domain/model/capacity/resource-claim.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { originText } from '#domain/platform/feed/origin.ts';
import { callClaimFunction } from './claim-statements.ts';

/**
 * Releases every claim of a locked subscription that ends now. Call it before the cancellation columns change. The
 * reason is `expired` for overdue claims. For the others it is `scheduled_cancellation` when the subscription ends as
 * scheduled, else `subscription_canceled`.
 */
export async function endResourceClaims(session: Session, subscription: Subscription) {
  const { cancelScheduledAt } = subscription;
  const isScheduled = cancelScheduledAt != null && cancelScheduledAt <= session.now;
  await end(
    session,
    subscription.id,
    isScheduled ? 'scheduled_cancellation' : 'subscription_canceled',
  );
}

/** Marks a subscription's overdue claims as expired. Returns how many there were. */
export const expireResourceClaims = (session: Session, subscriptionId: string) =>
  end(session, subscriptionId, null);

async function end(session: Session, subscriptionId: string, reason: ReleaseReason | null) {
  const { pricingModelId, now } = session;
  const answer = await callClaimFunction<{ end_resource_claims: string }>(
    session,
    'end_resource_claims',
    [subscriptionId, pricingModelId, now, reason, originText(session)],
  );
  return Number(answer.end_resource_claims);
}
