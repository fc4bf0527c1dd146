import type { Session } from '#domain/kernel/session.ts';
import type { ReleaseReason } from '#domain/resource-claims/resource-claim.ts';
import { originText } from '#domain/rules/feed/origin.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { callClaimFunction } from './claim-statements.ts';

/**
 * Releases every claim of a held subscription that ends now: those whose time is over as
 * `expired`; the others as `scheduled_cancellation` when it ends as it was scheduled to, and as
 * `subscription_canceled` in every other way. To be called while it is still told apart.
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

/** Notes down of a subscription's claims whose time is over that they have expired. Answers how many there were. */
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
