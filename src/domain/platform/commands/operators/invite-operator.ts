import { z } from 'zod';
import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { emailInput } from './email-input.ts';
import { type IssuedInvitation, issueInvitation } from './issue-invitation.ts';
import { lockOperators } from './lock-operators.ts';

/** How long an invitation is valid, unless the caller chooses another time. */
export const invitationDays = { usual: 7, most: 30 } as const;

const secondsPerDay = 86_400;

export const inviteOperatorInput = z.object({
  email: emailInput,
  role: z.enum(operatorRoles),
  name: nameInput.nullish(),
  expiresInDays: z.int().min(1).max(invitationDays.most).nullish(),
});

/**
 * Invites a person by a link, which sets the name and the password of a new operator. An earlier invitation of the
 * same e-mail ends. Errors: BAD_REQUEST for the e-mail of an operator.
 */
export function inviteOperator(
  session: Session,
  { email, role, name, expiresInDays }: z.output<typeof inviteOperatorInput>,
): Promise<IssuedInvitation> {
  return command(session, async (session) => {
    await lockOperators(session);
    const anyTenant = { filters: { tenant: false } } as const;
    // E-mails are unique in the whole installation.
    if (await session.em.count(Operator, { email }, anyTenant)) {
      throw invalid('TAKEN', 'email', 'is the e-mail of another operator');
    }
    const lifeSeconds = (expiresInDays ?? invitationDays.usual) * secondsPerDay;
    return issueInvitation(session, { email, role, name, lifeSeconds });
  });
}
