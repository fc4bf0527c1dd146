import { type ClaimCall, type ClaimOutcome, changeClaims } from '#domain/capacity/change-claims.ts';
import { expireReservations } from '#domain/capacity/end-reservations.ts';
import { Restart } from '#domain/kernel/reads/keyed.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { bePresent } from '#domain/recording/present/be-present.ts';

/**
 * Claims or releases at the subscription's present, after its due boundaries and, for a claim, overdue reservations.
 * Within a request's transaction that one starts anew after these: it has locked the subscription, and they lock its
 * customer first.
 */
export async function changeClaimsAtPresent(
  session: Session,
  call: ClaimCall,
): Promise<ClaimOutcome> {
  const { em, idempotency, dryRun } = session;
  for (;;) {
    const answer = await changeClaims(session, call);
    if (answer.outcome !== 'due') return answer;
    if (idempotency && em.isInTransaction() && !dryRun) {
      idempotency.restart = (session) => beReady(session, call);
      throw new Restart(`Something of ${call.subscriptionId} is due`);
    }
    await beReady(session, call);
  }
}

async function beReady(session: Session, { verb, subscriptionId }: ClaimCall) {
  await bePresent(afresh(session), subscriptionId);
  if (verb === 'claim') await expireReservations(afresh(session), subscriptionId);
}
