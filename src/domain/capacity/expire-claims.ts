import type { Session } from '#domain/kernel/session.ts';
import { expireReservations } from './end-reservations.ts';
import { expireResourceClaims } from './end-resource-claims.ts';

export const expire = async (session: Session, subscriptionId: string) =>
  (await expireResourceClaims(session, subscriptionId)) +
  (await expireReservations(session, subscriptionId));
