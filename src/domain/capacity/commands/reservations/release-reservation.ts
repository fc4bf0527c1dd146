import { z } from 'zod';
import { freeReservedCredits } from '#domain/capacity/reserve-credits.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { lockPresent } from '#domain/recording/present/lock-present.ts';
import { lockedReservation } from './confirm-reservation.ts';

export const releaseReservationInput = z.object({ id: z.string() });

/**
 * Releases the units of a reservation. A released or expired one is returned as it is. Errors: NOT_FOUND; CONFLICT
 * for one that has become claims.
 */
export async function releaseReservation(
  session: Session,
  { id }: z.output<typeof releaseReservationInput>,
): Promise<Reservation> {
  const { subscriptionId } = await session.em.findOneOrFail(Reservation, id);
  return lockPresent(session, subscriptionId, async (locked) => {
    const { session } = locked;
    const reservation = await lockedReservation(session, id);
    if (reservation.status === 'confirmed') {
      throw new DomainError(
        'CONFLICT',
        `Reservation ${id} has been confirmed: release its claims instead`,
        { reason: 'INVALID_STATE' },
      );
    }
    if (reservation.status !== 'held') return reservation;
    reservation.settle('released', session.now);
    await freeReservedCredits(locked, reservation.usageMeterId ?? null);
    return reservation;
  });
}
