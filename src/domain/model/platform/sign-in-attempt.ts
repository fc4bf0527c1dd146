import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '#domain/kernel/columns.ts';

const SignInAttemptSchema = defineEntity({
  name: 'SignInAttempt',
  indexes: [{ name: 'sign_in_attempt_age', properties: ['failedAt'] }],
  properties: {
    /** An HMAC of an e-mail or an address; whether an operator has the e-mail makes no difference. */
    id: p.string().length(64).primary(),
    failures: p.integer(),
    failedAt: instant(),
    blockedUntil: instant(),
  },
});

/** The failed sign-ins with one e-mail, or from one address, and the end of the pause that they cause. */
export class SignInAttempt extends SignInAttemptSchema.class {}
SignInAttemptSchema.setClass(SignInAttempt);
