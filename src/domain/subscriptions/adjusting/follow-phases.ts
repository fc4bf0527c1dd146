import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';

/** The planned phases of a subscription, the earliest first. */
export const plannedPhases = ({ em }: Session, { id: subscription }: Subscription) =>
  em.find(SubscriptionPhase, { subscription, status: 'planned' }, { orderBy: { startsAt: 'asc' } });

/**
 * Makes the next start of a phase of a locked subscription due that starts at its date, after its phases have changed. One
 * that could not start at its date starts with the next period.
 */
export async function followPhases(session: Session, subscription: Subscription) {
  const { em, now } = session;
  await em.flush();
  const next = (await plannedPhases(session, subscription)).find(
    ({ timing, startsAt }) => timing === 'at_date' && startsAt > now,
  );
  if (!next && !subscription.phaseStartAt) return;
  subscription.followPhase(next?.startsAt ?? null, now);
  await em.flush();
}
