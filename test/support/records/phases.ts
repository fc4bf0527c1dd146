import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import type { PhaseInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { aPriceOf } from '../factories.ts';
import { aTimedSubscription, fresh } from '../timeline.ts';

/** A phase of a subscription that is planned for the year 2100. */
export async function aPhase(session: Session, subscriptionId: string): Promise<SubscriptionPhase> {
  const priceId = await aPriceOf(session, { unitPrice: 2_000 });
  const startsAt = new Date('2100-01-01');
  return createSubscriptionPhase(fresh(session), {
    subscriptionPhase: { subscriptionId, startsAt, items: [{ priceId }] },
  });
}

/** A subscription at 10.00 a month on a clock at January 1, with prices at 20.00 and 30.00. */
export async function aRamp(session: Session, more: object = {}) {
  const priceIds = [
    await aPriceOf(session, { unitPrice: 1_000 }),
    await aPriceOf(session, { unitPrice: 2_000 }),
    await aPriceOf(session, { unitPrice: 3_000 }),
  ] as const;
  const plan = await aTimedSubscription(session, {
    from: '2026-01-01',
    priceId: priceIds[0],
    paid: true,
    ...more,
  });
  const add = (phase: Partial<PhaseInput>) =>
    createSubscriptionPhase(fresh(session), {
      subscriptionPhase: { subscriptionId: plan.id, items: [{ priceId: priceIds[1] }], ...phase },
    });
  const statuses = async () => {
    const of = { subscription: plan.id };
    const order = { orderBy: { startsAt: 'asc' } } as const;
    const phases = await fresh(session).em.find(SubscriptionPhase, of, order);
    return phases.map(({ status, startedAt }) =>
      startedAt ? `${status} ${startedAt.toISOString().slice(0, 10)}` : status,
    );
  };
  return { ...plan, priceIds, add, statuses };
}
