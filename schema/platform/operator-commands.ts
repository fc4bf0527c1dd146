import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import {
  invitationDays,
  inviteOperator,
  inviteOperatorInput,
} from '#domain/platform/commands/operators/invite-operator.ts';
import type { IssuedInvitation } from '#domain/platform/commands/operators/issue-invitation.ts';
import {
  revokeOperatorInvitation,
  revokeOperatorInvitationInput,
} from '#domain/platform/commands/operators/revoke-operator-invitation.ts';
import {
  updateOperator,
  updateOperatorInput,
} from '#domain/platform/commands/operators/update-operator.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input, object } from '../engine/types.ts';
import { OperatorRole } from './operators.ts';

const InviteOperatorPayload = object<IssuedInvitation>('InviteOperatorPayload')({
  description: 'A new invitation with its link.',
  fields: (t) => ({
    operatorInvitation: of(OperatorInvitation, 'The record of the invitation.'),
    url: t.string({
      description: 'The link for the person. Only this answer contains it.',
      resolve: ({ text }, _args, { invitationLink }) => invitationLink(text),
    }),
  }),
});

const UpdateOperator = input('UpdateOperatorInput', {
  description: 'Changes of an operator; absent fields keep their values.',
  fields: {
    name: nullable.text('The display name.'),
    role: nullable.of(OperatorRole, 'The role.'),
    active: nullable.flag(
      'Whether the operator may sign in. The sessions of a deactivated operator end.',
    ),
  },
});

mutation('inviteOperator', {
  returns: InviteOperatorPayload,
  description:
    'Invites a person to become an operator, by a link that works once. An earlier invitation of the same e-mail ends. Errors: BAD_REQUEST for the e-mail of an operator.',
  args: {
    email: text('The e-mail of the person.'),
    role: of(OperatorRole, 'The role.'),
    name: nullable.text('The proposed name, which the person may change.'),
    expiresInDays: nullable.int(
      `The days until the link ends, 1 to ${invitationDays.most}; ${invitationDays.usual} when absent.`,
    ),
  },
  input: inviteOperatorInput,
  command: inviteOperator,
});

mutation('revokeOperatorInvitation', {
  returns: [OperatorInvitation, 'The ended invitation.'],
  description: 'Ends an invitation. Errors: NOT_FOUND; CONFLICT once it is accepted.',
  args: { id: id('The id of the invitation.') },
  input: revokeOperatorInvitationInput,
  command: revokeOperatorInvitation,
});

mutation('updateOperator', {
  returns: [Operator, 'The changed operator.'],
  description:
    'Changes the name or the role of an operator, deactivates it or activates it again. Errors: NOT_FOUND; CONFLICT where no active owner would remain.',
  args: {
    id: id('The id of the operator.'),
    operator: of(UpdateOperator, 'The changes.'),
    expectedVersion,
  },
  input: updateOperatorInput,
  command: updateOperator,
});
