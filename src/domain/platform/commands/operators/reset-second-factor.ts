import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { revokeSessions } from './revoke-sessions.ts';

/** Removes the second factor of an operator who has lost it. The sessions of the operator end. Errors: NOT_FOUND. */
export function resetSecondFactor(session: Session, id: string): Promise<Operator> {
  return command(session, async (session) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const operator = await session.em.findOneOrFail(Operator, id, lock);
    operator.removeSecondFactor();
    await revokeSessions(session, id);
    return operator;
  });
}
