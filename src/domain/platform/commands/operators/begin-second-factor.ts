import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockOwnAccount } from './own-account.ts';
import { newTotpSecret } from './second-factor.ts';

export const beginSecondFactorInput = z.object({});

/** A secret for an authenticator app. */
export interface ProposedSecondFactor {
  /** In base 32, to type it. */
  readonly secret: string;
  /** The `otpauth:` address, to show it as a QR code. */
  readonly url: string;
}

/**
 * Makes a secret for an authenticator app. Nothing changes at sign-in until `confirmSecondFactor` gets a code of it.
 * Errors: CONFLICT for an operator who has a second factor.
 */
export function beginSecondFactor(session: Session): Promise<ProposedSecondFactor> {
  return command(session, async (session) => {
    const operator = await lockOwnAccount(session);
    if (operator.hasSecondFactor) {
      throw new DomainError('CONFLICT', 'There is a second factor: remove it first', {
        reason: 'INVALID_STATE',
      });
    }
    const proposed = newTotpSecret(operator.email);
    operator.proposeTotpSecret(proposed.secret);
    await session.em.flush();
    return proposed;
  });
}
