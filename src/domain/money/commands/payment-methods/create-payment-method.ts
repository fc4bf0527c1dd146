import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod, paymentMethodTypes } from '#domain/model/platform/payment-method.ts';
import { executeDueRunsOf } from '#domain/money/collection/execute-billing-run.ts';
import { addMethod } from '#domain/money/methods/add-method.ts';
import { connectedAccount } from '#domain/money/processing/connected-account.ts';
import {
  allSandboxTokens,
  isSandboxToken,
  sandboxCard,
} from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { billingDetailsInput, billingDetailsOf } from './billing-details.ts';

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
  await checkToken(session, input.token);
  const { done: id } = await firstStep(session, async (session) => {
    const { id } = await keepPaymentMethod(session, input);
    return id;
  });
  await executeDueRunsOf(session, input.customerId);
  return afresh(session).em.findOneOrFail(PaymentMethod, id);
}

/**
 * The first transaction of `createPaymentMethod`: it writes the payment method, with which no amount due is paid yet.
 * Several customers can add theirs in a batch. Errors: BAD_REQUEST for an unknown or archived customer.
 */
export async function keepPaymentMethod(session: Session, input: Input): Promise<PaymentMethod> {
  const locked = await lockCustomer(session, { id: input.customerId });
  if (!locked) throw refused('NOT_FOUND', 'customerId', `Unknown customer ${input.customerId}`);
  const { customer } = locked;
  if (customer.archived) throw refused('ARCHIVED', 'customerId', `${customer.id} is archived`);
  return addMethod(locked.session, customer, sandbox, {
    token: input.token,
    type: input.type,
    data: input.type === 'card' ? sandboxCard(input.token, locked.session.now) : {},
    billingDetails: billingDetailsOf(input.billingDetails, customer),
    metadata: input.metadata ?? null,
    isDefault: input.default ?? false,
  });
}

const sandbox = { processor: 'sandbox', processorAccountId: null };

/**
 * Tokens name a behavior of the sandbox. Payment methods of another processor are set up on its page alone: there the
 * customer agrees to later charges, and the bank confirms the card.
 */
async function checkToken(session: Session, token: string) {
  if (!session.livemode && isSandboxToken(token)) return;
  const isConnected = (await connectedAccount(session)) !== null;
  if (isConnected) {
    throw refused(
      'INVALID',
      'token',
      'cannot be used: a payment method of a connected processor is entered on its page, which createPaymentMethodSetup opens',
    );
  }
  if (!session.livemode)
    throw refused('INVALID', 'token', `must be one of ${allSandboxTokens.join(', ')}`);
  throw refused(
    'INVALID',
    'token',
    'cannot be used: no payment processor is configured for the live mode. Connect one with connectProcessor, then open its page with createPaymentMethodSetup',
  );
}

const refused = (code: IssueCode, path: string, message: string) =>
  invalid(code, `paymentMethod.${path}`, message);
