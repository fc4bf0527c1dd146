import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { OperatorSession } from '#domain/model/platform/operator-session.ts';

/** Revokes the sessions of an operator, apart from one. Requests, sockets and streams with them end. */
export async function revokeSessions(
  { em, now }: Session,
  operator: string,
  { except }: { readonly except?: string | undefined } = {},
): Promise<void> {
  const sessions = await em.find(
    OperatorSession,
    { operator, revokedAt: null, expiresAt: { $gt: now } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  for (const each of sessions) if (each.id !== except) each.revoke(now);
  await em.flush();
}
