import { z } from 'zod';
import { logged } from '#domain/kernel/database-failure.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { emailInput } from '#domain/platform/commands/operators/email-input.ts';
import {
  countAttempt,
  discountAttempt,
  forgetAttempts,
} from '#domain/platform/commands/operators/limit-attempts.ts';
import { givenPasswordInput, isPassword } from '#domain/platform/commands/operators/passwords.ts';
import { recordFailedSignIn } from '#domain/platform/commands/operators/record-failed-sign-in.ts';
import { signIn } from '#domain/platform/commands/operators/sign-in.ts';
import { jsonBody } from './json-body.ts';
import { signedIn } from './session-answer.ts';
import {
  type Answer,
  beforeSignIn,
  isOpened,
  refusal,
  sessionOfVisit,
  type Visit,
} from './visit.ts';

const input = z.object({
  email: emailInput,
  password: givenPasswordInput,
  code: z.string().trim().max(40).nullish(),
});

const wrong = () => refusal(401, 'INVALID_CREDENTIALS', 'The e-mail or the password is wrong');

/**
 * Signs in with e-mail and password, and a code where the operator has a second factor. An unknown e-mail takes the
 * same work and the same limits as a known one. Errors: BAD_REQUEST, TOO_MANY_REQUESTS.
 */
export async function passwordSignIn(visit: Visit): Promise<Answer> {
  const { orm, request, address, client } = visit;
  const { email, password, code } = await jsonBody(request, input);
  const em = orm.em.fork();
  const now = await presentOf(em);
  if (address) await countAttempt(em, 'address', address, now);
  try {
    await countAttempt(em, 'account', email, now);
  } catch (error) {
    // Nothing is compared within a pause of the account, which concerns no other one at this address.
    if (address) await discountAttempt(em, 'address', address);
    throw error;
  }
  const operator = await em.findOne(Operator, { email }, { filters: { tenant: false } });
  const isRight = await isPassword(operator?.passwordHash, password);
  if (!operator || !isRight) return failed(operator, wrong());

  const actor = { type: 'operator', id: operator.id } as const;
  const session = await sessionOfVisit(visit, operator.organizationId, actor, 'signIn');
  const outcome = await signIn(session, {
    operatorId: operator.id,
    method: 'password',
    code: code ?? undefined,
    client,
  });
  if (isOpened(outcome)) {
    await forgetAttempts(em, 'account', email);
    if (address) await discountAttempt(em, 'address', address);
    return signedIn(visit, outcome);
  }
  if (outcome === 'CODE_REQUIRED') {
    await discountAttempt(em, 'account', email);
    if (address) await discountAttempt(em, 'address', address);
    return refusal(401, outcome, 'Enter the code of your authenticator app, or a recovery code');
  }
  if (outcome === 'INVALID_CODE') {
    return failed(operator, refusal(401, outcome, 'The code is wrong or has been used'));
  }
  return failed(operator, wrong());

  /** The event is written after the answer, whose time must not tell whether the e-mail is known. */
  function failed(known: Operator | null, answer: Answer): Answer {
    if (known) void recordFailure(visit, known);
    return answer;
  }
}

async function recordFailure(visit: Visit, { id, organizationId }: Operator) {
  try {
    const session = await sessionOfVisit(visit, organizationId, beforeSignIn, 'signIn');
    await recordFailedSignIn(session, id);
  } catch (error) {
    visit.logger.error(logged(error), 'A failed sign-in could not be recorded');
  }
}
