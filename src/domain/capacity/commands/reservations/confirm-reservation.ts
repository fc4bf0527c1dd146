import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { freeReservedCredits } from '#domain/capacity/reserve-credits.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { claimCapacity } from '#domain/recording/claiming/claim-capacity.ts';
import { lockPresent } from '#domain/recording/present/lock-present.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';

export const confirmReservationInput = z.object({
  id: z.string(),
  usageAmount: positiveDecimalInput.nullish(),
});

/** A reservation and its claims. */
export interface ConfirmedReservation {
  readonly reservation: Reservation;
  readonly claims: ResourceClaim[];
}

/**
 * Turns reserved capacity into claims, and reserved credits into a usage event, of the amount given now or else the
 * reserved one. It succeeds even when capacity has shrunk since. A name whose own claim has ended takes available
 * capacity. A confirmed reservation is returned as it is. Errors: NOT_FOUND; CONFLICT for one that was released or
 * has expired.
 */
export async function confirmReservation(
  session: Session,
  { id, usageAmount }: z.output<typeof confirmReservationInput>,
): Promise<ConfirmedReservation> {
  const { subscriptionId } = await session.em.findOneOrFail(Reservation, id);
  return lockPresent(session, subscriptionId, (locked) => confirm(locked, id, usageAmount));
}

async function confirm(
  locked: LockedSubscription,
  id: string,
  usageAmount: string | null | undefined,
) {
  const { session } = locked;
  const { em, now } = session;
  const reservation = await lockedReservation(session, id);
  const { subscriptionId, resourceId, quantity, externalIds, metadata, claimIds } = reservation;
  if (usageAmount != null && !reservation.usageMeterId) {
    throw invalid(
      'NOT_ALLOWED',
      'usageAmount',
      'is allowed only for a reservation with usage credits',
    );
  }
  if (reservation.status === 'confirmed')
    return { reservation, claims: await claimsWith(session, claimIds ?? []) };
  // Overdue reservations have been marked under this lock: the status decides, not the time.
  if (reservation.status !== 'held') throw isOver(reservation);
  reservation.settle('confirmed', now);
  // The flush frees the reserved units, and the same transaction claims them.
  await em.flush();
  const { slug } = await em.findOneOrFail(Resource, resourceId);
  const selected = externalIds ? { externalIds } : { quantity };
  const asked = { subscriptionId, resourceSlug: slug, metadata: metadata ?? null, ...selected };
  const { claims } = await claimCapacity(atInstant(session, now), asked, quantity);
  reservation.claimIds = claims.map(({ id }) => id);
  const { usageMeterId = null } = reservation;
  if (usageMeterId) {
    const amount = usageAmount ?? reservation.usageAmount ?? '0';
    reservation.usageEventId = await useReservedCredits(session, reservation, amount);
    await freeReservedCredits(locked, usageMeterId);
  }
  return { reservation, claims };
}

const claimsWith = ({ em }: Session, ids: readonly string[]) =>
  em.find(
    ResourceClaim,
    { id: { $in: [...ids] } },
    { orderBy: { claimedAt: 'asc', position: 'asc' } },
  );

const isOver = ({ id, status }: Reservation) =>
  new DomainError('CONFLICT', `Reservation ${id} can no longer be confirmed: it is ${status}`, {
    reason: 'INVALID_STATE',
  });

/** Locks a reservation; lock its subscription first. Errors: NOT_FOUND. */
export const lockedReservation = ({ em }: Session, id: string) =>
  em.findOneOrFail(Reservation, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Records the usage of reserved credits, under the reservation's id, so that it counts once. Returns its event. */
async function useReservedCredits(
  session: Session,
  { id, subscriptionId, usageMeterId }: Reservation,
  amount: string,
): Promise<string> {
  const { events } = await recordUsageEvents(session, {
    usageEvents: [{ subscriptionId, usageMeterId, amount, transactionId: id }],
  });
  return events[0]?.id ?? '';
}
