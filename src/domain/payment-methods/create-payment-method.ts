import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { metadataInput } from '#domain/kernel/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { addMethod } from '#domain/rules/collection/add-method.ts';
import { executeDueRunsOf } from '#domain/rules/collection/execute-billing-run.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import {
  allSandboxTokens,
  isSandboxToken,
} from '#domain/rules/processing/sandbox/sandbox-tokens.ts';
import { billingDetailsInput, billingDetailsOf } from './billing-details.ts';
import { PaymentMethod, paymentMethodTypes } from './payment-method.ts';

export const createPaymentMethodInput = z.object({
  paymentMethod: z.object({
    customerId: z.string(),
    type: z.enum(paymentMethodTypes),
    token: z.string().min(1).max(255),
    default: z.boolean().nullish(),
    billingDetails: billingDetailsInput.nullish(),
    metadata: metadataInput.nullish(),
  }),
});

type Input = z.output<typeof createPaymentMethodInput>['paymentMethod'];

/**
 * Adds a payment method of a customer, by the processor's token for it. The first one of a customer is its default.
 * Errors: BAD_REQUEST for an unknown or archived customer and an unknown token.
 */
export async function createPaymentMethod(
  session: Session,
  { paymentMethod: input }: { paymentMethod: Input },
): Promise<PaymentMethod> {
  checkToken(session, input.token);
  const { done: id } = await firstStep(session, async (session) => {
    const locked = await lockCustomer(session, { id: input.customerId });
    if (!locked) throw refused('NOT_FOUND', 'customerId', `Unknown customer ${input.customerId}`);
    const { customer } = locked;
    if (customer.archived) throw refused('ARCHIVED', 'customerId', `${customer.id} is archived`);
    const method = await addMethod(locked.session, customer, sandbox, {
      token: input.token,
      type: input.type,
      data: input.type === 'card' ? { brand: 'sandbox', last4: '4242' } : {},
      billingDetails: billingDetailsOf(input.billingDetails, customer),
      metadata: input.metadata ?? null,
      isDefault: input.default ?? false,
    });
    return method.id;
  });
  await executeDueRunsOf(session, input.customerId);
  return afresh(session).em.findOneOrFail(PaymentMethod, id);
}

const sandbox = { processor: 'sandbox', processorAccountId: null };

/** Tokens of the test mode name a behavior; in live mode they come from a processor. */
function checkToken({ livemode }: Session, token: string) {
  if (livemode) {
    throw refused(
      'INVALID',
      'token',
      'cannot be used: no payment processor is configured for the live mode that takes tokens. Use createPaymentMethodSetup in GraphQL, which opens the page of the processor',
    );
  }
  if (!isSandboxToken(token))
    throw refused('INVALID', 'token', `must be one of ${allSandboxTokens.join(', ')}`);
}

const refused = (code: IssueCode, path: string, message: string) =>
  invalid(code, `paymentMethod.${path}`, message);
