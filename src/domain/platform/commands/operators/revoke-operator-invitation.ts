import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';

export const revokeOperatorInvitationInput = z.object({ id: z.string() });

/** Ends an invitation; ending it again changes nothing. Errors: NOT_FOUND; CONFLICT once it is accepted. */
export function revokeOperatorInvitation(
  session: Session,
  { id }: z.output<typeof revokeOperatorInvitationInput>,
): Promise<OperatorInvitation> {
  return command(session, async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const invitation = await em.findOneOrFail(OperatorInvitation, id, lock);
    if (invitation.acceptedAt) {
      throw new DomainError('CONFLICT', `${id} is accepted: deactivate the operator instead`, {
        reason: 'INVALID_STATE',
      });
    }
    invitation.revokedAt ??= now;
    return invitation;
  });
}
