import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import type { SignInMethod } from '#domain/model/platform/operator-session.ts';
import { useCode } from './second-factor.ts';
import { type Client, type OpenedSession, startSession } from './start-session.ts';

interface SignIn {
  readonly operatorId: string;
  readonly method: SignInMethod;
  /** A code of the second factor, which a password needs where there is one. */
  readonly code?: string | undefined;
  /** The issuer and the subject of the identity provider. */
  readonly oidcIdentity?: string | undefined;
  readonly client: Client;
}

/** Why a sign-in is refused. */
export type SignInRefusal = 'INACTIVE' | 'CODE_REQUIRED' | 'INVALID_CODE' | 'OTHER_IDENTITY';

/**
 * Starts a session of an operator who has proved to be one: by a password, or through the identity provider, which
 * asks for a second factor itself. A code is used up in the same transaction.
 */
export function signIn(
  session: Session,
  { operatorId, method, code, oidcIdentity, client }: SignIn,
): Promise<OpenedSession | SignInRefusal> {
  return command(session, async (session) => {
    const { em, now } = session;
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const operator = await em.findOneOrFail(Operator, operatorId, lock);
    if (!operator.active) return 'INACTIVE';
    if (method === 'password' && operator.hasSecondFactor) {
      if (!code) return 'CODE_REQUIRED';
      if (!useCode(operator, code, now)) return 'INVALID_CODE';
    }
    if (oidcIdentity) {
      operator.oidcIdentity ??= oidcIdentity;
      if (operator.oidcIdentity !== oidcIdentity) return 'OTHER_IDENTITY';
    }
    return startSession(session, operator, { method, client });
  });
}
