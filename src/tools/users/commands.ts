import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { oldestFirst } from '#domain/kernel/columns.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { inviteOperator } from '#domain/platform/commands/operators/invite-operator.ts';
import { resetPassword } from '#domain/platform/commands/operators/reset-password.ts';
import { resetSecondFactor } from '#domain/platform/commands/operators/reset-second-factor.ts';
import { updateOperator } from '#domain/platform/commands/operators/update-operator.ts';
import { openHomeSession } from '#server/operators/open-home-session.ts';
import { firstOrganization } from '../keys/commands.ts';
import type { UsersRequest } from './arguments.ts';

type Create = Extract<UsersRequest, { command: 'create' }>;

/** The actor in the events of these commands. */
const actor = { type: 'system', id: 'cli' } as const;

/** The command line looks for rows before their tenant is known. */
const anyTenant = { filters: { tenant: false } } as const;

const linkDays = 1;

/** Invites an operator of the first organization. Errors: BAD_REQUEST for the e-mail of an operator. */
export async function createUser(orm: MikroORM, { email, role, name }: Create, now: Date) {
  const { id } = await firstOrganization(orm.em.fork());
  const session = await openHomeSession(orm, id, { actor, now });
  return inviteOperator(session, { email, role, name, expiresInDays: linkDays });
}

/** A link for a new password. Errors: NOT_FOUND; CONFLICT for a deactivated operator. */
export async function resetUserPassword(orm: MikroORM, email: string, now: Date) {
  const { id, session } = await operatorWith(orm, email, now);
  return resetPassword(session, { id, lifeSeconds: linkDays * 86_400 });
}

/** Removes the second factor of an operator. Errors: NOT_FOUND. */
export async function resetUserSecondFactor(orm: MikroORM, email: string, now: Date) {
  const { id, session } = await operatorWith(orm, email, now);
  return resetSecondFactor(session, id);
}

/** Deactivates an operator. Errors: NOT_FOUND; CONFLICT for the last active owner. */
export async function deactivateUser(orm: MikroORM, email: string, now: Date) {
  const { id, session } = await operatorWith(orm, email, now);
  return updateOperator(session, { id, operator: { active: false } });
}

/** All operators, and the invitations that can be accepted, oldest first. */
export async function listUsers(em: EntityManager, now: Date) {
  const operators = await em.find(Operator, {}, { ...anyTenant, orderBy: oldestFirst });
  const invitations = await em.find(
    OperatorInvitation,
    { acceptedAt: null, revokedAt: null, expiresAt: { $gt: now } },
    { ...anyTenant, orderBy: oldestFirst },
  );
  return { operators, invitations };
}

async function operatorWith(orm: MikroORM, email: string, now: Date) {
  const operator = await orm.em.fork().findOne(Operator, { email }, anyTenant);
  if (!operator) {
    throw new DomainError(
      'NOT_FOUND',
      `There is no operator with the e-mail ${email}; list shows all of them`,
    );
  }
  const session = await openHomeSession(orm, operator.organizationId, { actor, now });
  return { id: operator.id, session };
}
