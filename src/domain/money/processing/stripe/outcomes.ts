import type Stripe from 'stripe';
import type { ChargeOutcome } from '#domain/money/processing/port/charge-types.ts';
import { ProcessorMisconfigured } from '#domain/money/processing/port/processor-errors.ts';
import { fromStripe, fromStripeCurrency } from './amounts.ts';
import { failureKindOf, type Refusal, shownRefusal } from './declines.ts';
import { expanded, idOf } from './find.ts';
import { methodDataOf } from './method-details.ts';

type Read = Pick<
  ChargeOutcome,
  'reference' | 'chargeReference' | 'receiptUrl' | 'methodData' | 'amount' | 'currency'
>;

const nothingFailed = {
  failureCode: null,
  failureMessage: null,
  declineCode: null,
  adviceCode: null,
  networkDeclineCode: null,
  failureKind: null,
  actionUrl: null,
} as const;

/**
 * The state of an intent, read with its latest charge. Undefined while it was never confirmed: it has moved no money,
 * and no bank has decided about it. An unknown status is one that may still move money.
 */
export function outcomeOf(intent: Stripe.PaymentIntent): ChargeOutcome | undefined {
  const read = readOf(intent);
  switch (intent.status) {
    case 'succeeded':
      return { ...read, ...nothingFailed, status: 'succeeded' };
    case 'requires_action':
      return {
        ...read,
        ...nothingFailed,
        status: 'requires_action',
        actionUrl: intent.next_action?.redirect_to_url?.url ?? null,
      };
    case 'requires_confirmation':
    case 'requires_payment_method':
      return refusedOutcome(intent, read);
    case 'canceled':
      return refusedOutcome(intent, read) ?? { ...read, ...nothingFailed, status: 'canceled' };
    case 'requires_capture':
      throw new ProcessorMisconfigured(
        `The payment ${intent.id} awaits its capture at Stripe: capture or cancel it there`,
      );
    default:
      return { ...read, ...nothingFailed, status: 'processing' };
  }
}

/** The data of an intent that are read back besides its status. */
export const readOf = (intent: Stripe.PaymentIntent): Read => {
  const charge = expanded(intent.latest_charge);
  return {
    reference: intent.id,
    chargeReference: idOf(intent.latest_charge),
    receiptUrl: charge?.receipt_url ?? null,
    methodData: charge?.payment_method_details ? methodDataOf(charge.payment_method_details) : null,
    amount: fromStripe(intent.amount, intent.currency),
    currency: fromStripeCurrency(intent.currency),
  };
};

/** The refusal that an intent shows; undefined where it has none. */
function refusedOutcome(intent: Stripe.PaymentIntent, read: Read): ChargeOutcome | undefined {
  const error = intent.last_payment_error;
  const charge = expanded(intent.latest_charge);
  const isFailedCharge = charge?.status === 'failed';
  if (!error && !isFailedCharge) return undefined;
  const refusal: Refusal = {
    code: codeOf(error, charge),
    declineCode: error?.decline_code ?? null,
    adviceCode: error?.advice_code ?? charge?.outcome?.advice_code ?? null,
    networkAdviceCode: error?.network_advice_code ?? charge?.outcome?.network_advice_code ?? null,
    isBlocked: isFailedCharge && charge.outcome?.type === 'blocked',
  };
  const refused = {
    ...read,
    ...nothingFailed,
    ...shownRefusal(refusal, error?.message ?? charge?.failure_message ?? null),
    declineCode: refusal.declineCode ?? refusal.code,
    adviceCode: refusal.adviceCode,
    networkDeclineCode:
      error?.network_decline_code ?? charge?.outcome?.network_decline_code ?? null,
  };
  const isRequest = error?.type === 'invalid_request_error' && !refusal.declineCode;
  const kind = failureKindOf(refusal);
  const isOurs = isRequest && kind === 'soft';
  return { ...refused, status: 'failed', failureKind: isOurs ? 'configuration' : kind };
}

/** The bank's reason of a failed debit is on the charge. */
function codeOf(error: Stripe.PaymentIntent.LastPaymentError | null, charge: Stripe.Charge | null) {
  const code = error?.code ?? null;
  const isGeneral = code === null || code === 'payment_intent_payment_attempt_failed';
  return isGeneral ? (charge?.failure_code ?? code) : code;
}

/** The outcome of a request that Stripe refuses as such: the operator corrects it, the customer is not dunned. */
export const misconfigured = (
  { reference, amount, currency }: Pick<ChargeOutcome, 'reference' | 'amount' | 'currency'>,
  code: string,
  message: string,
): ChargeOutcome => ({
  ...nothingFailed,
  status: 'failed',
  reference,
  chargeReference: null,
  receiptUrl: null,
  methodData: null,
  amount,
  currency,
  failureCode: code,
  failureMessage: message,
  failureKind: 'configuration',
});
