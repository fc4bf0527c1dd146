import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Operator } from '#domain/model/platform/operator.ts';
import { lockOwnAccount } from './own-account.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { hashRecoveryCode, newRecoveryCodes, stepOf } from './second-factor.ts';

export const codeInput = z.string().trim().min(6).max(40);

export const confirmSecondFactorInput = z.object({ code: codeInput });

/** A second factor with its recovery codes, which only this result contains. */
export interface ConfirmedSecondFactor {
  readonly operator: Operator;
  readonly recoveryCodes: readonly string[];
}

/**
 * Adds the second factor, once the app of the operator shows its codes. The other sessions of the operator end.
 * Errors: BAD_REQUEST for a wrong code; CONFLICT without a secret that waits.
 */
export function confirmSecondFactor(
  session: Session,
  { code }: z.output<typeof confirmSecondFactorInput>,
): Promise<ConfirmedSecondFactor> {
  return command(session, async (session) => {
    const { em, now } = session;
    const operator = await lockOwnAccount(session);
    const secret = operator.openTotpSecret('pending');
    if (secret === undefined) {
      throw new DomainError('CONFLICT', 'There is no new second factor: begin one first', {
        reason: 'INVALID_STATE',
      });
    }
    const step = stepOf(secret, code, { now, lastStep: operator.totpStep });
    if (step === undefined) throw invalid('MISMATCH', 'code', 'is not a present code of the app');
    const recoveryCodes = newRecoveryCodes();
    operator.confirmSecondFactor(step, recoveryCodes.map(hashRecoveryCode), now);
    await em.flush();
    await revokeSessions(session, operator.id, { except: session.operator?.sessionId });
    return { operator, recoveryCodes };
  });
}
