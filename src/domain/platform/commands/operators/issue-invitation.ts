import { LockMode } from '@mikro-orm/core';
import type { OperatorRole } from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { hashSecretText, newSecretText } from './secret-text.ts';

/** An invitation with the text of its link, which only this result contains. */
export interface IssuedInvitation {
  readonly operatorInvitation: OperatorInvitation;
  readonly text: string;
}

interface NewInvitation {
  readonly email: string;
  readonly role: OperatorRole;
  readonly name?: string | null | undefined;
  /** The operator whose password it sets. */
  readonly operator?: Operator;
  readonly lifeSeconds: number;
}

/** Issues a link. An earlier one for the same e-mail ends. The organization must be locked. */
export async function issueInvitation(
  { em, now }: Session,
  { email, role, name, operator, lifeSeconds }: NewInvitation,
): Promise<IssuedInvitation> {
  const earlier = await em.find(
    OperatorInvitation,
    { email, acceptedAt: null, revokedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  for (const each of earlier) each.revokedAt = now;
  await em.flush();
  const text = newSecretText();
  const operatorInvitation = em.create(OperatorInvitation, {
    email,
    role,
    name: name ?? null,
    operator: operator ?? null,
    expiresAt: new Date(now.getTime() + lifeSeconds * 1_000),
    hashText: hashSecretText(text),
  });
  await em.flush();
  return { operatorInvitation, text };
}
