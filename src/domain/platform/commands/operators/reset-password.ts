import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { type IssuedInvitation, issueInvitation } from './issue-invitation.ts';
import { lockOperators } from './lock-operators.ts';

interface Reset {
  readonly id: string;
  readonly lifeSeconds: number;
}

/**
 * Issues a link with which an operator sets a new password. Until then the present password stays valid. Errors:
 * NOT_FOUND; CONFLICT for a deactivated operator.
 */
export function resetPassword(
  session: Session,
  { id, lifeSeconds }: Reset,
): Promise<IssuedInvitation> {
  return command(session, async (session) => {
    await lockOperators(session);
    const operator = await session.em.findOneOrFail(Operator, id);
    const { email, name, role, active } = operator;
    if (!active) {
      throw new DomainError('CONFLICT', `${email} is deactivated: an owner activates it`, {
        reason: 'INVALID_STATE',
      });
    }
    return issueInvitation(session, { email, name, role, operator, lifeSeconds });
  });
}
