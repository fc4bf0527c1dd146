import { Payment } from '#domain/model/money/payment.ts';
import {
  type PaymentMethodType,
  paymentMethodTypes,
} from '#domain/model/platform/payment-method.ts';
import { applyNotice } from '#domain/money/collection/apply-notice.ts';
import { isSandboxToken } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { submitConfirmation, submitPage } from '#domain/money/processing/sandbox/submit-page.ts';
import type { ShownPage } from './sandbox-page-session.ts';

/** The fields that the form of a page sends. */
export interface PageForm {
  readonly token: string;
  readonly type: string;
  readonly confirms: boolean;
}

/**
 * Executes what a customer has chosen on a page of the sandbox, and applies it as the notice of a processor. Returns
 * why the page stays open, if it does.
 */
export async function submitSandboxPage(
  { session, kind, reference }: ShownPage,
  { token, type, confirms }: PageForm,
): Promise<string | undefined> {
  const notice = { reference, paymentId: null, processor: 'sandbox' } as const;
  if (kind === 'confirmation') {
    await submitConfirmation(session, reference, confirms);
    const payment = await session.em.findOne(Payment, { idempotencyKey: reference });
    await applyNotice(session, { ...notice, object: 'charge', paymentId: payment?.id ?? null });
    return undefined;
  }
  if (!isSandboxToken(token)) return 'Choose a test token';
  const isType = (text: string): text is PaymentMethodType =>
    (paymentMethodTypes as readonly string[]).includes(text);
  const chosen = isType(type) ? type : 'card';
  const problem = await submitPage(session, reference, { token, type: chosen });
  if (problem) return problem;
  await applyNotice(session, { ...notice, object: kind === 'setup' ? 'setup' : 'payment_page' });
  return undefined;
}
