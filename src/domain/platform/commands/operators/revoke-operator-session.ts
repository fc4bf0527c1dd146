import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { hasScope } from '#domain/kernel/access-scopes.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OperatorSession } from '#domain/model/platform/operator-session.ts';

export const revokeOperatorSessionInput = z.object({ id: z.string() });

/**
 * Ends a session of the caller; of any operator where the caller manages operators. Its sockets and streams end.
 * Ending it again changes nothing. Errors: NOT_FOUND.
 */
export function revokeOperatorSession(
  session: Session,
  { id }: z.output<typeof revokeOperatorSessionInput>,
): Promise<OperatorSession> {
  return command(session, async ({ em, now, operator, scopes }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const found = await em.findOne(OperatorSession, id, lock);
    const isOwn = found?.operatorId === operator?.id;
    if (!found || !(isOwn || hasScope(scopes, 'operators_write'))) {
      throw new DomainError('NOT_FOUND', `OperatorSession ${id.replaceAll('\0', '')} not found`);
    }
    found.revoke(now);
    return found;
  });
}
