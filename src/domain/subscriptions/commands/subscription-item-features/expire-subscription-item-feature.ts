import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import { type Session, scopeOf } from '#domain/kernel/session.ts';
import type { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { lockSubscriptionItemFeature } from './update-subscription-item-feature.ts';

export const expireSubscriptionItemFeatureInput = z.object({
  id: z.string(),
  expiredAt: instantInput.nullish(),
});

/**
 * Ends a feature of a subscription item at an instant: now when absent, and possibly in the future. Errors:
 * NOT_FOUND.
 */
export function expireSubscriptionItemFeature(
  session: Session,
  { id, expiredAt }: z.output<typeof expireSubscriptionItemFeatureInput>,
): Promise<SubscriptionItemFeature> {
  return command(session, async (session) => {
    const feature = await lockSubscriptionItemFeature(session, id);
    // The customer's present, which the lock on the subscription has set.
    feature.expiredAt = expiredAt ?? scopeOf(session.em).now;
    return feature;
  });
}
