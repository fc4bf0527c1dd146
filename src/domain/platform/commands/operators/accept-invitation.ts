import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import type { SignInMethod } from '#domain/model/platform/operator-session.ts';
import { lockOperators } from './lock-operators.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { type Client, type OpenedSession, startSession } from './start-session.ts';

interface Acceptance {
  readonly id: string;
  readonly name?: string | undefined;
  /** The stored form of the password; absent for a person who signs in through the identity provider. */
  readonly passwordHash?: string | undefined;
  readonly oidcIdentity?: string | undefined;
  readonly method: SignInMethod;
  readonly client: Client;
}

/** An operator with a new session, or with a new password alone. */
export type Accepted = OpenedSession | { readonly operator: Operator };

/**
 * Accepts an invitation once: creates the operator, or sets a new password, and signs in. An operator with a second
 * factor gets no session from a new password alone. Errors: NOT_FOUND for an invitation that is used, revoked or
 * expired; CONFLICT for an operator who has been deactivated.
 */
export function acceptInvitation(session: Session, acceptance: Acceptance): Promise<Accepted> {
  const { id, method, client } = acceptance;
  return command(session, async (session) => {
    const { em, now } = session;
    await lockOperators(session);
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const invitation = await em.findOne(OperatorInvitation, id, lock);
    if (!invitation?.isUsable(now)) throw unusable();
    const operator = invitation.operator
      ? await withNewPassword(session, invitation.operator.id, acceptance)
      : await newOperator(session, invitation, acceptance);
    invitation.acceptedAt = now;
    invitation.operator = em.getReference(Operator, operator.id, { wrapped: true });
    await em.flush();
    if (operator.hasSecondFactor) return { operator };
    return startSession(session, operator, { method, client });
  });
}

async function newOperator(
  { em, now }: Session,
  { email, role, name }: OperatorInvitation,
  { name: given, passwordHash, oidcIdentity }: Acceptance,
): Promise<Operator> {
  const operator = em.create(Operator, {
    email,
    role,
    name: given ?? name ?? email,
    passwordHash: passwordHash ?? null,
    passwordChangedAt: passwordHash ? now : null,
    oidcIdentity: oidcIdentity ?? null,
  });
  await em.flush();
  return operator;
}

/** Forgets the account at the identity provider, too: the person may have another one. */
async function withNewPassword(
  session: Session,
  id: string,
  { passwordHash }: Acceptance,
): Promise<Operator> {
  const { em, now } = session;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const operator = await em.findOneOrFail(Operator, id, lock);
  if (!operator.active || !passwordHash) throw unusable();
  operator.setPassword(passwordHash, now);
  operator.oidcIdentity = null;
  await revokeSessions(session, id);
  return operator;
}

const unusable = () =>
  new DomainError(
    'NOT_FOUND',
    'This link has been used, has expired or was never complete: ask for a new one',
  );
