import { command } from '../command.ts';
import type { Session } from '../session.ts';
import { lockSubscription } from '../subscriptions/lock-subscription.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { freeHeldCredits } from './hold-credits.ts';
import { Reservation } from './reservation.ts';

/** Gives back what is reserved for a held subscription that ends now. */
export async function endReservations({ em, now }: Session, { id }: Subscription) {
  for (const reservation of await em.find(Reservation, { subscriptionId: id, status: 'held' })) {
    reservation.settle(reservation.isHeld(now) ? 'released' : 'expired', now);
  }
}

/** Notes down of a subscription's reservations whose time is over that they have expired. Answers how many. */
export async function expireReservations(session: Session, subscriptionId: string) {
  const due = { subscriptionId, status: 'held' as const, expiresAt: { $lte: session.now } };
  if ((await session.em.count(Reservation, due)) === 0) return 0;
  return command(session, async (session) => {
    const held = await lockSubscription(session, subscriptionId);
    const reservations = await held.session.em.find(Reservation, {
      ...due,
      expiresAt: { $lte: held.session.now },
    });
    for (const reservation of reservations) {
      reservation.settle('expired', reservation.expiresAt);
      await freeHeldCredits(held, reservation.usageMeterId ?? null);
    }
    return reservations.length;
  });
}
