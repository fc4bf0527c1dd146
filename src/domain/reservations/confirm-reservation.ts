import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { positiveDecimalInput } from '#domain/kernel/decimal.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { Resource } from '#domain/resources/resource.ts';
import { freeReservedCredits } from '#domain/rules/capacity/reserve-credits.ts';
import { lockPresent } from '#domain/rules/collection/lock-present.ts';
import { atInstant } from '#domain/rules/locks/at-instant.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { claimCapacity } from '#domain/rules/recording/claim-capacity.ts';
import { recordUsageEvents } from '#domain/rules/recording/record-usage-events.ts';
import { Reservation } from './reservation.ts';

export const confirmReservationInput = z.object({
  id: z.string(),
  usageAmount: positiveDecimalInput.nullish(),
});

/** A reservation and the claims that it has become. */
export interface ConfirmedReservation {
  readonly reservation: Reservation;
  readonly claims: ResourceClaim[];
}

/**
 * Turns what a reservation holds into claims, and held credits into a usage event, of the amount that is given now
 * or else of that which is held. It was promised, so it is there, also when capacity has been
 * taken away since; a name that had a claim of its own and has lost it takes what is available. One that is confirmed already is answered as it is. Errors: NOT_FOUND; CONFLICT for one that
 * was released or has expired.
 */
export async function confirmReservation(
  session: Session,
  { id, usageAmount }: z.output<typeof confirmReservationInput>,
): Promise<ConfirmedReservation> {
  const { subscriptionId } = await session.em.findOneOrFail(Reservation, id);
  return lockPresent(session, subscriptionId, (held) => confirm(held, id, usageAmount));
}

async function confirm(
  held: LockedSubscription,
  id: string,
  usageAmount: string | null | undefined,
) {
  const { session } = held;
  const { em, now } = session;
  const reservation = await lockedReservation(session, id);
  const { subscriptionId, resourceId, quantity, externalIds, metadata, claimIds } = reservation;
  if (usageAmount != null && !reservation.usageMeterId) {
    throw invalid('usageAmount', 'is allowed only for a reservation with usage credits');
  }
  if (reservation.status === 'confirmed') {
    const claims = await em.find(
      ResourceClaim,
      { id: { $in: claimIds ?? [] } },
      { orderBy: { claimedAt: 'asc', position: 'asc' } },
    );
    return { reservation, claims };
  }
  // What is over has been marked as such under this lock: the status decides, not the time.
  if (reservation.status !== 'held') {
    throw new DomainError(
      'CONFLICT',
      `Reservation ${id} can no longer be confirmed: it is ${reservation.status}`,
    );
  }
  reservation.settle('confirmed', now);
  // What it holds is free from here on, and is claimed in the same breath.
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
    await freeReservedCredits(held, usageMeterId);
  }
  return { reservation, claims };
}

/** A reservation, held with its subscription. Errors: NOT_FOUND. */
export const lockedReservation = ({ em }: Session, id: string) =>
  em.findOneOrFail(Reservation, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Records what held credits were held for, by the reservation's id, so that it counts once. Answers its event. */
export async function useReservedCredits(
  session: Session,
  { id, subscriptionId, usageMeterId }: Reservation,
  amount: string,
): Promise<string> {
  const { events } = await recordUsageEvents(session, {
    usageEvents: [{ subscriptionId, usageMeterId, amount, transactionId: id }],
  });
  return events[0]?.id ?? '';
}
