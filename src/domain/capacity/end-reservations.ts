import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  type LockedSubscription,
  lockSubscription,
} from '#domain/platform/locks/lock-subscription.ts';
import { freeReservedCredits } from './reserve-credits.ts';

/** Releases the reservations of a locked subscription that ends now. */
export async function endReservations({ em, now }: Session, { id }: Subscription) {
  for (const reservation of await em.find(Reservation, { subscriptionId: id, status: 'held' })) {
    reservation.settle(reservation.isHeld(now) ? 'released' : 'expired', now);
  }
}

/** Marks a subscription's overdue reservations as expired. Returns how many there were. */
export const expireReservations = (session: Session, subscriptionId: string) =>
  command(session, async (session) =>
    expireReservationsOf(await lockSubscription(session, subscriptionId)),
  );

/**
 * The same for a locked subscription, as part of a larger transaction. Each transaction that treats a reservation as
 * overdue marks it. From then on its status alone decides, whatever the present of a later transaction.
 */
export async function expireReservationsOf(locked: LockedSubscription): Promise<number> {
  const { em, now } = locked.session;
  const over = {
    subscriptionId: locked.subscription.id,
    status: 'held' as const,
    expiresAt: { $lte: now },
  };
  const reservations = await em.find(Reservation, over, {
    orderBy: { expiresAt: 'asc', id: 'asc' },
  });
  for (const reservation of reservations) {
    reservation.settle('expired', reservation.expiresAt);
    await freeReservedCredits(locked, reservation.usageMeterId ?? null);
  }
  if (reservations.length > 0) await em.flush();
  return reservations.length;
}
