import { DomainError } from '#domain/kernel/errors.ts';
import { revokeOperatorSession } from '#domain/platform/commands/operators/revoke-operator-session.ts';
import { isCsrfToken, sessionCookie } from '../auth/session-cookie.ts';
import { sessionIn } from './session-answer.ts';
import { type Answer, sessionOfVisit, type Visit } from './visit.ts';

/** Ends the session of the cookie, and the cookie. Errors: UNAUTHORIZED without the token against CSRF. */
export async function signOut(visit: Visit): Promise<Answer> {
  const found = await sessionIn(visit);
  const answer = { status: 204, headers: { 'set-cookie': sessionCookie(visit.origin, '', 0) } };
  if (!found) return answer;
  if (!isCsrfToken(found.text, visit.request.headers.get('tollgate-csrf') ?? undefined)) {
    throw new DomainError(
      'UNAUTHORIZED',
      'The header tollgate-csrf must be the csrfToken of auth/session',
    );
  }
  const { id, organizationId, role } = found.operator;
  const actor = { type: 'operator', id } as const;
  const session = await sessionOfVisit(visit, organizationId, actor, 'signOut');
  const operator = { id, role, sessionId: found.operatorSession.id };
  await revokeOperatorSession({ ...session, operator }, { id: found.operatorSession.id });
  return answer;
}
