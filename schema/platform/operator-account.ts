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
import { of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

mutation('changePassword', {
  returns: [Operator, 'The operator.'],
  description:
    'Changes the password of the operator who asks, and ends the other sessions. Errors: BAD_REQUEST for a wrong or a weak password; TOO_MANY_REQUESTS after several wrong ones.',
  args: {
    current: text('The present password.'),
    next: text('The new password, of 12 to 256 characters.'),
  },
  input: changePasswordInput,
  command: changePassword,
});

mutation('beginSecondFactor', {
  returns: BeginSecondFactorPayload,
  description:
    'Makes a secret for an authenticator app (TOTP). The sign-in does not change before `confirmSecondFactor`. Errors: CONFLICT for an operator who has a second factor.',
  input: beginSecondFactorInput,
  command: beginSecondFactor,
});

mutation('confirmSecondFactor', {
  returns: ConfirmSecondFactorPayload,
  description:
    'Adds the second factor of the operator who asks, and ends the other sessions. Errors: BAD_REQUEST for a wrong code; CONFLICT without `beginSecondFactor` before.',
  args: { code: text('The present code of the app.') },
  input: confirmSecondFactorInput,
  command: confirmSecondFactor,
});

mutation('removeSecondFactor', {
  returns: [Operator, 'The operator.'],
  description:
    'Removes the second factor of the operator who asks. Errors: BAD_REQUEST for a wrong code; TOO_MANY_REQUESTS after several wrong ones.',
  args: { code: text('The present code of the app, or a recovery code.') },
  input: removeSecondFactorInput,
  command: removeSecondFactor,
});
