import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { codeInput } from './confirm-second-factor.ts';
import { countAttempt, forgetAttempts } from './limit-attempts.ts';
import { lockOwnAccount, ownId } from './own-account.ts';
import { useCode } from './second-factor.ts';

export const removeSecondFactorInput = z.object({ code: codeInput });

/**
 * Removes the second factor of the operator who acts, with a code of the app or a recovery code. Errors: BAD_REQUEST
 * for a wrong code; TOO_MANY_REQUESTS after several of them.
 */
export async function removeSecondFactor(
  session: Session,
  { code }: z.output<typeof removeSecondFactorInput>,
): Promise<Operator> {
  const { em, now } = session;
  const { email } = await em.findOneOrFail(Operator, ownId(session));
  await countAttempt(em, 'account', email, now);
  const changed = await command(session, async (session) => {
    const operator = await lockOwnAccount(session);
    if (!useCode(operator, code, session.now)) {
      throw invalid('MISMATCH', 'code', 'is not a present code of the app or a recovery code');
    }
    operator.removeSecondFactor();
    await session.em.flush();
    return operator;
  });
  await forgetAttempts(em, 'account', email);
  return changed;
}
