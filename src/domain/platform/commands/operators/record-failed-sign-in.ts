import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';

/** Records a sign-in with a wrong password or code, which emits an event. */
export const recordFailedSignIn = (session: Session, id: string): Promise<void> =>
  command(session, async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    (await em.findOneOrFail(Operator, id, lock)).lastFailedSignInAt = now;
    await em.flush();
  });
