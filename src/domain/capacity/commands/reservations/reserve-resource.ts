import { z } from 'zod';
import { mostListed, namesIn, selectors } from '#domain/capacity/claim-input.ts';
import {
  noCapacity,
  notGranted,
  pausedRefusal,
  selectorRefusal,
  stillIncomplete,
  tooMany,
  unknownResource,
  unpaidRefusal,
} from '#domain/capacity/claim-refusals.ts';
import { reserveCredits } from '#domain/capacity/reserve-credits.ts';
import { availableOf, type ResourceUsage } from '#domain/capacity/resource-usage.ts';
import { activeAt, resourceUsagesOf } from '#domain/capacity/resource-usages.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded, exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockPresent } from '#domain/recording/present/lock-present.ts';

const usualSeconds = 900;
const mostSeconds = 86_400;

export const reserveResourceInput = z
  .object({
    subscriptionId: z.string(),
    resourceSlug: keptText(255),
    ...selectors,
    metadata: metadataInput.nullish(),
    usageMeterSlug: keptText(255).nullish(),
    usageAmount: positiveDecimalInput.nullish(),
    ttlSeconds: z.int().min(1).max(mostSeconds).nullish(),
  })
  .refine(...exactlyOne(['quantity', 'externalId', 'externalIds']))
  .refine(
    ({ usageMeterSlug, usageAmount }) => (usageMeterSlug == null) === (usageAmount == null),
    coded('INVALID', 'usageAmount', 'belongs with usageMeterSlug: give both or neither'),
  );

type Input = z.output<typeof reserveResourceInput>;

/** A reservation, and the usage of its resource with it. */
export interface ReservedResource {
  readonly reservation: Reservation;
  readonly usage: ResourceUsage;
}

/**
 * Reserves capacity, and usage credits on request, all or nothing. Only this reservation can use them until it is
 * confirmed, released or expired: after 15 minutes by default, 1 day at most. It expires at the latest with a change
 * of the subscription's items that leaves no room for it. Names that have a claim already need no units. Errors:
 * BAD_REQUEST for an unknown subscription, and for a resource that is unknown or not granted. CONFLICT for a
 * subscription that grants nothing now or has ended, and for more than is available.
 */
export async function reserveResource(session: Session, input: Input): Promise<ReservedResource> {
  const { subscriptionId } = input;
  if (!(await session.em.findOne(Subscription, subscriptionId))) {
    throw invalid('NOT_FOUND', 'subscriptionId', `Unknown subscription ${subscriptionId}`);
  }
  return lockPresent(session, subscriptionId, (locked) => reserve(locked, input));
}

async function reserve(locked: LockedSubscription, input: Input) {
  const { session, subscription } = locked;
  const { em, now } = session;
  const { resourceSlug, metadata, ttlSeconds } = input;
  requireUsable(subscription);
  const resource = await em.findOne(Resource, { slug: resourceSlug });
  if (!resource) throw unknownResource(resourceSlug);
  // The instant under the lock decides, by which overdue reservations are marked: never one that the request saw before.
  const usages = await resourceUsagesOf(atInstant(session, now), [subscription]);
  const before = usages.find(({ resourceId }) => resourceId === resource.id);
  if (!before) throw notGranted(resourceSlug, subscription.id);
  const { at: _, ...usage } = before;
  const externalIds = namesIn(input);
  const quantity = input.quantity ?? (await unclaimed(session, usage, externalIds ?? []));
  if (quantity > 0 && quantity > availableOf(usage)) throw noCapacity(input, quantity, usage);
  // A confirmation lists all its claims.
  const largest = Math.max(quantity, externalIds?.length ?? 0);
  if (largest > mostListed)
    throw selectorRefusal(input, tooMany(largest, mostListed), 'BAD_REQUEST', 'TOO_LONG');
  const credits = await reserveCredits(locked, input);
  const over = new Date(now.getTime() + (ttlSeconds ?? usualSeconds) * 1_000);
  const reservation = em.create(Reservation, {
    ...credits,
    subscriptionId: subscription.id,
    resourceId: resource.id,
    quantity,
    externalIds,
    metadata: metadata ?? null,
    expiresAt: (await roomEndsAt(session, usage, quantity, over)) ?? over,
    customerId: subscription.customerId,
    testClockId: subscription.testClockId,
  });
  return { reservation, usage: { ...usage, reserved: usage.reserved + quantity } };
}

/** Errors: CONFLICT for a subscription that has ended or awaits its first payment. */
function requireUsable(subscription: Subscription) {
  const { id, status, isTerminal, pauseEntitlements, unpaidAccess } = subscription;
  if (status === 'incomplete') throw stillIncomplete(id, 'reserved');
  if (status === 'paused' && pauseEntitlements !== 'on') throw pausedRefusal(id, 'reserved');
  if (unpaidAccess === 'none') throw unpaidRefusal(id, 'reserved');
  if (!isTerminal) return;
  throw new DomainError(
    'CONFLICT',
    `Subscription ${id} has ended (${status}): nothing can be reserved for it`,
    { reason: 'INVALID_STATE' },
  );
}

/** The first change of items before an instant that leaves no room for a number of further units. */
async function roomEndsAt(
  { em, now, pricingModelId }: Session,
  { subscriptionId, resourceId }: ResourceUsage,
  quantity: number,
  before: Date,
): Promise<Date | null> {
  const [{ at }] = await em.execute<[{ at: Date | string | null }]>(
    `select min(change.at) as at
     from subscription s, lateral resource_room(s.id, s.cancel_scheduled_at, ?, ?) as change
     where s.id = ? and s.pricing_model_id = ? and change.at < ? and change.free < ?`,
    [resourceId, now, subscriptionId, pricingModelId, before, quantity],
  );
  return at === null ? null : new Date(at);
}

/** How many of the names have no active claim. */
async function unclaimed(
  { em, now }: Session,
  { subscriptionId, resourceId }: ResourceUsage,
  names: readonly string[],
) {
  const claimed = { subscriptionId, resourceId, externalId: { $in: [...names] }, ...activeAt(now) };
  return names.length - (await em.count(ResourceClaim, claimed));
}
