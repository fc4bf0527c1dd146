import { Operator } from '#domain/model/platform/operator.ts';
import {
  beginSecondFactor,
  beginSecondFactorInput,
  type ProposedSecondFactor,
} from '#domain/platform/commands/operators/begin-second-factor.ts';
import {
  changePassword,
  changePasswordInput,
} from '#domain/platform/commands/operators/change-password.ts';
import {
  type ConfirmedSecondFactor,
  confirmSecondFactor,
  confirmSecondFactorInput,
} from '#domain/platform/commands/operators/confirm-second-factor.ts';
import {
  removeSecondFactor,
  removeSecondFactorInput,
} from '#domain/platform/commands/operators/remove-second-factor.ts';
import { builder } from '../engine/builder.ts';
import { of, text } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { object } from '../engine/types.ts';

const BeginSecondFactorPayload = object<ProposedSecondFactor>('BeginSecondFactorPayload')({
  description: 'A secret for an authenticator app, which waits for its first code.',
  fields: () => ({
    secret: text('The secret in base 32, to type it.'),
    url: text('The `otpauth:` address, to show it as a QR code.'),
  }),
});

const ConfirmSecondFactorPayload = object<ConfirmedSecondFactor>('ConfirmSecondFactorPayload')({
  description: 'A second factor with its recovery codes.',
  fields: () => ({
    operator: of(Operator, 'The operator.'),
    recoveryCodes: of(
      ['String'],
      'Codes for a sign-in without the app, each once. Only this answer contains them.',
    ),
  }),
});

builder.mutationFields((t) => ({
  changePassword: t.field({
    type: payload('changePassword', Operator, 'The operator.'),
    description:
      'Changes the password of the operator who asks, and ends the other sessions. Errors: BAD_REQUEST for a wrong or a weak password; TOO_MANY_REQUESTS after several wrong ones.',
    args: {
      current: t.arg.string({ required: true, description: 'The present password.' }),
      next: t.arg.string({
        required: true,
        description: 'The new password, of 12 to 256 characters.',
      }),
    },
    validate: { schema: changePasswordInput },
    resolve: (_root, args, session) => changePassword(session, args),
  }),
  beginSecondFactor: t.field({
    type: BeginSecondFactorPayload,
    description:
      'Makes a secret for an authenticator app (TOTP). The sign-in does not change before `confirmSecondFactor`. Errors: CONFLICT for an operator who has a second factor.',
    validate: { schema: beginSecondFactorInput },
    resolve: (_root, _args, session) => beginSecondFactor(session),
  }),
  confirmSecondFactor: t.field({
    type: ConfirmSecondFactorPayload,
    description:
      'Adds the second factor of the operator who asks, and ends the other sessions. Errors: BAD_REQUEST for a wrong code; CONFLICT without `beginSecondFactor` before.',
    args: {
      code: t.arg.string({ required: true, description: 'The present code of the app.' }),
    },
    validate: { schema: confirmSecondFactorInput },
    resolve: (_root, args, session) => confirmSecondFactor(session, args),
  }),
  removeSecondFactor: t.field({
    type: payload('removeSecondFactor', Operator, 'The operator.'),
    description:
      'Removes the second factor of the operator who asks. Errors: BAD_REQUEST for a wrong code; TOO_MANY_REQUESTS after several wrong ones.',
    args: {
      code: t.arg.string({
        required: true,
        description: 'The present code of the app, or a recovery code.',
      }),
    },
    validate: { schema: removeSecondFactorInput },
    resolve: (_root, args, session) => removeSecondFactor(session, args),
  }),
}));
