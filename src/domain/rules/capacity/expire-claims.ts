import type { Session } from '#domain/kernel/session.ts';
import { Reservation } from '#domain/reservations/reservation.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { expireReservations } from './end-reservations.ts';
import { expireResourceClaims } from './end-resource-claims.ts';

export const expire = async (session: Session, subscriptionId: string) =>
  (await expireResourceClaims(session, subscriptionId)) +
  (await expireReservations(session, subscriptionId));

/** The earliest claim or reservation on a clock that expires by an instant, as a due step. */
export async function nextExpiry({ em }: Session, testClockId: string, by: Date) {
  const claim = await em.findOne(
    ResourceClaim,
    { testClockId, releasedAt: null, expiredAt: { $ne: null, $lte: by } },
    { orderBy: { expiredAt: 'asc' } },
  );
  const reservation = await em.findOne(
    Reservation,
    { testClockId, status: 'held', expiresAt: { $lte: by } },
    { orderBy: { expiresAt: 'asc' } },
  );
  const [first] = [
    ...(claim?.expiredAt ? [{ at: claim.expiredAt, of: claim.subscriptionId }] : []),
    ...(reservation ? [{ at: reservation.expiresAt, of: reservation.subscriptionId }] : []),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return (
    first && {
      at: first.at,
      execute: (session: Session) => expire({ ...session, now: first.at }, first.of),
    }
  );
}
