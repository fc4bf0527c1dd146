import type { Session } from '#domain/kernel/session.ts';
import {
  type ClaimCall,
  type ClaimOutcome,
  changeClaims,
} from '#domain/rules/capacity/change-claims.ts';
import { expireReservations } from '#domain/rules/capacity/end-reservations.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { bePresent } from '#domain/rules/present/be-present.ts';

/** Claims or releases at the subscription's present, after its due boundaries and, for a claim, overdue reservations. */
export async function changeClaimsAtPresent(
  session: Session,
  call: ClaimCall,
): Promise<ClaimOutcome> {
  for (;;) {
    const answer = await changeClaims(session, call);
    if (answer.outcome !== 'due') return answer;
    await bePresent(afresh(session), call.subscriptionId);
    if (call.verb === 'claim') await expireReservations(afresh(session), call.subscriptionId);
  }
}
