import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import type { Condition } from '#domain/kernel/lists/where.ts';
import { readById } from '#domain/kernel/reads/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, id, nullable, of, text, time } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { optionalReference, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byId, byText, byTime, custom } from '../engine/where.ts';

export const OperatorRole = builder.enumType('OperatorRole', {
  description: 'The role of an operator, which determines the scopes.',
  values: described(operatorRoles, {
    owner: 'Reads and writes everything, and manages the operators.',
    finance:
      'Reads everything, and writes customers, subscriptions, invoices and payments, also those by hand.',
    developer:
      'Reads everything, and writes the catalog, usage, claims, test clocks, webhooks and API keys.',
    support: 'Reads everything.',
  }),
});

record(Operator, {
  description: 'A person who runs the organization in the dashboard, in both modes.',
  interfaces: [],
  fields: () => ({
    createdAt: time('The time of creation.'),
    updatedAt: time('The time of the last change.'),
    organizationId: id('The organization that the operator runs.'),
    organization: optionalReference(
      OrganizationSettings,
      'organizationId',
      'The organization that the operator runs, in the mode of the caller.',
    ),
    email: text('The e-mail, in lower case; unique in the whole service.'),
    name: text('The display name.'),
    role: of(OperatorRole, 'The role.'),
    active: flag('Whether the operator may sign in; false after deactivation.'),
    hasPassword: flag(
      'Whether the operator has a password; false for sign-in by OpenID Connect only.',
    ),
    hasSecondFactor: flag('Whether a password needs a code of an authenticator app.'),
    secondFactorAt: nullable.time('The time when the second factor was added; null without one.'),
    passwordChangedAt: nullable.time(
      'The time of the last change of the password; null without one.',
    ),
    lastSignInAt: nullable.time('The time of the last sign-in; null before the first one.'),
    lastFailedSignInAt: nullable.time(
      'The time of the last sign-in with a wrong password or code; null without one.',
    ),
  }),
});

record(OperatorInvitation, {
  description:
    'A link with which a person becomes an operator, or an operator sets a new password. It works once.',
  interfaces: [],
  fields: () => ({
    createdAt: time('The time of creation.'),
    updatedAt: time('The time of the last change.'),
    organizationId: id('The organization of the operator.'),
    organization: optionalReference(
      OrganizationSettings,
      'organizationId',
      'The organization of the operator, in the mode of the caller.',
    ),
    email: text('The e-mail of the person, in lower case.'),
    name: nullable.text('The proposed name; null without one.'),
    role: of(OperatorRole, 'The role of the operator.'),
    ...withOptionalId(
      'operator',
      Operator,
      'The operator who has accepted it, or whose password it sets; null for a new person.',
    ),
    expiresAt: time('The time until which it can be accepted.'),
    acceptedAt: nullable.time('The time of acceptance; null before it.'),
    revokedAt: nullable.time(
      'The time of revocation, also by a later invitation; null without one.',
    ),
  }),
});

listField({
  many: 'operators',
  name: 'Operator',
  noun: 'operator',
  entity: Operator,
  where: {
    email: byText('email', 'The e-mail.'),
    name: byText('name', 'The display name.'),
    role: byEnum(OperatorRole, 'role', 'The role.'),
    active: byFlag('active', 'Active (true) or deactivated (false).'),
    lastSignInAt: byTime('lastSignInAt', 'The time of the last sign-in.'),
  },
});

const pendingOf = (pending: boolean, _path: string, { now }: Session): Condition =>
  pending
    ? { acceptedAt: null, revokedAt: null, expiresAt: { $gt: now } }
    : {
        $or: [
          { acceptedAt: { $ne: null } },
          { revokedAt: { $ne: null } },
          { expiresAt: { $lte: now } },
        ],
      };

listField({
  many: 'operatorInvitations',
  name: 'OperatorInvitation',
  noun: 'operator invitation',
  entity: OperatorInvitation,
  where: {
    email: byText('email', 'The e-mail of the person.'),
    role: byEnum(OperatorRole, 'role', 'The role of the operator.'),
    operator: byId('operator', 'The operator.'),
    pending: custom.flag(
      'Can be accepted now (true), or accepted, revoked or expired (false).',
      pendingOf,
    ),
    expiresAt: byTime('expiresAt', 'The time until which it can be accepted.'),
  },
});

builder.queryField('operator', (t) =>
  t.field({
    type: Operator,
    description: 'One operator. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the operator.' }) },
    resolve: (_root, { id }, session) => readById(session, Operator, id),
  }),
);
