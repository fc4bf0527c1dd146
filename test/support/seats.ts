import { activeAt } from '#domain/capacity/resource-usages.ts';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { aResource, aSubscription, fresh } from './factories.ts';
import { aTimedSubscription, at } from './timeline.ts';

/** A feature that grants a number of seats of a new resource. */
export async function aSeatFeature(session: Session, amount = 5) {
  const resource = await aResource(session);
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Who may work',
      slug: `${resource.slug}-feature`,
      amount,
      resourceId: resource.id,
    },
  });
  return { featureId: feature.id, resourceId: resource.id, resourceSlug: resource.slug };
}

export interface Seats {
  readonly subscriptionId: string;
  readonly resourceId: string;
  readonly resourceSlug: string;
  readonly customerId: string;
  readonly clockId: string;
}

type Input = Parameters<typeof aTimedSubscription>[1] & { seats?: number };

/** A subscription with a number of seats, 5 by default, on a clock that shows January 31, 2026. */
export async function aSubscriptionWithSeats(
  session: Session,
  { seats = 5, ...input }: Input = {},
): Promise<Seats & { featureId: string }> {
  const { featureId, ...resource } = await aSeatFeature(session, seats);
  const terms = { doNotCharge: true, ...input, featureIds: [featureId] };
  const { id, customerId, clockId } = await aTimedSubscription(session, terms);
  return { subscriptionId: id, featureId, customerId, clockId, ...resource };
}

/** A subscription with a number of seats in real time, where most calls are simultaneous. */
export async function aBusySubscription(session: Session, seats = 5) {
  const { featureId, ...resource } = await aSeatFeature(session, seats);
  const { id } = await aSubscription(session, { doNotCharge: true, featureIds: [featureId] });
  return { subscriptionId: id, ...resource };
}

/** The active claims of a subscription, oldest first. */
export const activeClaims = (
  session: Session,
  { subscriptionId }: Pick<Seats, 'subscriptionId'>,
  now = at('2026-01-31'),
) =>
  fresh(session).em.find(
    ResourceClaim,
    { subscriptionId, ...activeAt(now) },
    { orderBy: { claimedAt: 'asc', position: 'asc' } },
  );
