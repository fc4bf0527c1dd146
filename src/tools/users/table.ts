import type { Operator } from '#domain/model/platform/operator.ts';
import type { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { jsonText, minute, printable, textTable } from '../text-table.ts';

const heads = ['ID', 'E-MAIL', 'ROLE', 'NAME', 'STATE', 'SECOND FACTOR', 'LAST SIGN-IN'];

interface Users {
  readonly operators: readonly Operator[];
  readonly invitations: readonly OperatorInvitation[];
}

/** The operators and the invitations as JSON. */
export const usersJson = ({ operators, invitations }: Users): string =>
  jsonText({
    operators: operators.map(({ id, email, role, name, active, hasSecondFactor, lastSignInAt }) => {
      return { id, email, role, name, active, hasSecondFactor, lastSignInAt: lastSignInAt ?? null };
    }),
    invitations: invitations.map(({ id, email, role, name, expiresAt, operatorId }) => {
      return { id, email, role, name, expiresAt, operatorId };
    }),
  });

/** One line for each operator and each invitation, in columns. */
export const usersTable = ({ operators, invitations }: Users): string =>
  textTable([
    heads,
    ...operators.map(({ id, email, role, name, active, hasSecondFactor, lastSignInAt }) => [
      id,
      email,
      role,
      printable(name),
      active ? 'active' : 'deactivated',
      hasSecondFactor ? 'yes' : 'no',
      lastSignInAt ? minute(lastSignInAt) : 'never',
    ]),
    ...invitations.map(({ id, email, role, name, expiresAt, operatorId }) => [
      id,
      email,
      role,
      printable(name ?? ''),
      `${operatorId ? 'new password' : 'invited'} until ${minute(expiresAt)}`,
      '',
      '',
    ]),
  ]);
