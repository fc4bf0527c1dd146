import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import type { Condition } from '#domain/kernel/lists/where.ts';
import { readById } from '#domain/kernel/reads/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { listField } from '../engine/lists.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { optionalReference } from '../engine/reference.ts';
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

builder.node(Operator, {
  name: 'Operator',
  description: 'A person who runs the organization in the dashboard, in both modes.',
  id: ownId('operator'),
  loadOne: loadOne(Operator),
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'The time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'Timestamp',
      description: 'The time of the last change.',
    }),
    organizationId: t.exposeID('organizationId', {
      description: 'The organization that the operator runs.',
    }),
    organization: t.field(
      optionalReference(
        OrganizationSettings,
        'organizationId',
        'The organization that the operator runs, in the mode of the caller.',
      ),
    ),
    email: t.exposeString('email', {
      description: 'The e-mail, in lower case; unique in the whole service.',
    }),
    name: t.exposeString('name', { description: 'The display name.' }),
    role: t.expose('role', { type: OperatorRole, description: 'The role.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether the operator may sign in; false after deactivation.',
    }),
    hasPassword: t.boolean({
      description: 'Whether the operator has a password; false for sign-in by OpenID Connect only.',
      resolve: ({ hasPassword }) => hasPassword,
    }),
    hasSecondFactor: t.boolean({
      description: 'Whether a password needs a code of an authenticator app.',
      resolve: ({ hasSecondFactor }) => hasSecondFactor,
    }),
    secondFactorAt: t.expose('secondFactorAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the second factor was added; null without one.',
    }),
    passwordChangedAt: t.expose('passwordChangedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of the last change of the password; null without one.',
    }),
    lastSignInAt: t.expose('lastSignInAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of the last sign-in; null before the first one.',
    }),
    lastFailedSignInAt: t.expose('lastFailedSignInAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of the last sign-in with a wrong password or code; null without one.',
    }),
  }),
});

builder.node(OperatorInvitation, {
  name: 'OperatorInvitation',
  description:
    'A link with which a person becomes an operator, or an operator sets a new password. It works once.',
  id: ownId('operator_invitation'),
  loadOne: loadOne(OperatorInvitation),
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'The time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'Timestamp',
      description: 'The time of the last change.',
    }),
    organizationId: t.exposeID('organizationId', {
      description: 'The organization of the operator.',
    }),
    organization: t.field(
      optionalReference(
        OrganizationSettings,
        'organizationId',
        'The organization of the operator, in the mode of the caller.',
      ),
    ),
    email: t.exposeString('email', { description: 'The e-mail of the person, in lower case.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The proposed name; null without one.',
    }),
    role: t.expose('role', { type: OperatorRole, description: 'The role of the operator.' }),
    operatorId: t.exposeID('operatorId', {
      nullable: true,
      description:
        'The operator who has accepted it, or whose password it sets; null for a new person.',
    }),
    operator: t.field(
      optionalReference(
        Operator,
        'operatorId',
        'The operator who has accepted it, or whose password it sets; null for a new person.',
      ),
    ),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      description: 'The time until which it can be accepted.',
    }),
    acceptedAt: t.expose('acceptedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of acceptance; null before it.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of revocation, also by a later invitation; null without one.',
    }),
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
    resolve: (_root, { id }, session) => readById(session, Operator, id) as never,
  }),
);
