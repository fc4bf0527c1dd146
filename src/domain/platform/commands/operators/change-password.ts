import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { countAttempt, forgetAttempts } from './limit-attempts.ts';
import { lockOwnAccount, ownId } from './own-account.ts';
import { givenPasswordInput, hashPassword, isPassword, newPasswordInput } from './passwords.ts';
import { revokeSessions } from './revoke-sessions.ts';

export const changePasswordInput = z.object({
  current: givenPasswordInput,
  next: newPasswordInput,
});

/**
 * Changes the password of the operator who acts. The other sessions of the operator end. Errors: BAD_REQUEST for a
 * wrong password; TOO_MANY_REQUESTS after several of them.
 */
export async function changePassword(
  session: Session,
  { current, next }: z.output<typeof changePasswordInput>,
): Promise<Operator> {
  const { em, now } = session;
  const { email, passwordHash } = await em.findOneOrFail(Operator, ownId(session));
  await countAttempt(em, 'account', email, now);
  if (!(await isPassword(passwordHash, current))) {
    throw invalid('MISMATCH', 'current', 'is not the present password');
  }
  const hash = await hashPassword(next);
  const changed = await command(session, async (session) => {
    const operator = await lockOwnAccount(session);
    operator.setPassword(hash, session.now);
    await revokeSessions(session, operator.id, { except: session.operator?.sessionId });
    return operator;
  });
  await forgetAttempts(em, 'account', email);
  return changed;
}
