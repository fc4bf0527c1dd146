import type Stripe from 'stripe';
import { report, type Session } from '#domain/kernel/session.ts';
import { refundStatuses } from '#domain/model/money/refund.ts';
import type {
  RefundOutcome,
  RefundRequest,
  RefundState,
} from '#domain/money/processing/port/charge-types.ts';
import { ProcessorUnreachable } from '#domain/money/processing/port/processor-errors.ts';
import {
  fromStripe,
  fromStripeCurrency,
  toStripe,
  toStripeCurrency,
  UnfitAmount,
} from './amounts.ts';
import { asked, isMissing, isOtherRequest, isRefusedRequest, withoutKeys } from './failures.ts';
import { belongsTo, idOf, isRemembered } from './find.ts';
import { keyed } from './keyed.ts';

const pageSize = 100;

/** Refunds a part of a charge. */
export async function refund(
  stripe: Stripe,
  session: Session,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const isKnown = request.reference !== null || !isRemembered(request.begunAt, session.now);
  const earlier = isKnown ? await lookupRefund(stripe, request) : undefined;
  if (earlier) return earlier;
  const { made, refusal } = await keyed<Answer>(
    request.idempotencyKey,
    async (options) => ({ made: await stripe.refunds.create(paramsOf(request), options) }),
    (error) => answerAfter(stripe, session, request, error),
  );
  if (!made) return refusal;
  await request.onReference(made.id);
  compare(made, request);
  return outcomeOf(made);
}

type Answer =
  | { readonly made: Stripe.Refund; readonly refusal?: never }
  | { readonly made?: never; readonly refusal: RefundOutcome };

/**
 * The result of a request that ended with an error; undefined where it has made no refund. A refusal and an unknown
 * result are read back first: they may be about the lost answer of this very refund. An amount that Stripe cannot move
 * is no request at all. Errors: the error.
 */
async function answerAfter(
  stripe: Stripe,
  session: Session,
  request: RefundRequest,
  error: unknown,
): Promise<Answer | undefined> {
  if (error instanceof UnfitAmount) return { refusal: failed('amount_unfit', error.message) };
  const isAnswered = isRefusedRequest(error) || isOtherRequest(error);
  const search = findRefund(stripe, request);
  const made = await (isAnswered
    ? search
    : search.catch((lookupError: unknown) => {
        report(session, request.idempotencyKey, lookupError);
        throw error;
      }));
  if (made) return { made };
  return isAnswered ? { refusal: refundRefusal(error) } : undefined;
}

/** Errors: ProcessorUnreachable where the key belongs to another request. */
function refundRefusal(error: unknown): RefundOutcome {
  if (isOtherRequest(error)) {
    throw new ProcessorUnreachable('Another request has used the key of this refund', {
      cause: error,
    });
  }
  const { code, message } = error as Stripe.errors.StripeError;
  return failed(code ?? 'invalid_request', withoutKeys(message));
}

const failed = (failureCode: string, failureMessage: string): RefundOutcome => ({
  status: 'failed',
  reference: null,
  failureCode,
  failureMessage,
});

const paramsOf = (request: RefundRequest): Stripe.RefundCreateParams => ({
  ...ofPayment(request),
  amount: toStripe(request.amount, request.currency),
  metadata: { ...request.metadata },
});

const ofPayment = ({ paymentReference, chargeReference }: RefundRequest) =>
  paymentReference !== null
    ? { payment_intent: paymentReference }
    : { charge: chargeReference ?? '' };

/** The state of a refund that was requested: by its stored id, otherwise in the list of its payment. */
export async function lookupRefund(
  stripe: Stripe,
  request: RefundRequest,
): Promise<RefundOutcome | undefined> {
  const found = await findRefund(stripe, request);
  if (!found) return undefined;
  if (found.id !== request.reference) await request.onReference(found.id);
  return outcomeOf(found);
}

async function findRefund(
  stripe: Stripe,
  request: RefundRequest,
): Promise<Stripe.Refund | undefined> {
  const stored = request.reference ? await retrieve(stripe, request.reference) : undefined;
  if (stored) return stored;
  const found: Stripe.Refund[] = [];
  const list = stripe.refunds.list({ ...ofPayment(request), limit: pageSize });
  await asked(
    list.autoPagingEach((refund) => {
      if (belongsTo(refund, request.metadata, 'refund_id')) found.push(refund);
    }),
  );
  return found[0];
}

/** A refund as Stripe knows it, also one that was made there. */
export async function readRefund(
  stripe: Stripe,
  reference: string,
): Promise<RefundState | undefined> {
  const found = await retrieve(stripe, reference);
  if (!found) return undefined;
  return {
    ...outcomeOf(found),
    reference: found.id,
    paymentReference: idOf(found.payment_intent),
    chargeReference: idOf(found.charge),
    refundId: found.metadata?.refund_id ?? null,
    amount: fromStripe(found.amount, found.currency),
    currency: fromStripeCurrency(found.currency),
  };
}

async function retrieve(stripe: Stripe, reference: string): Promise<Stripe.Refund | undefined> {
  try {
    return await asked(stripe.refunds.retrieve(reference));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function outcomeOf({ id, status, failure_reason: reason }: Stripe.Refund): RefundOutcome {
  return {
    // An unknown status may still become any other.
    status: refundStatuses.find((known) => known === status) ?? 'pending',
    reference: id,
    failureCode: reason ?? null,
    failureMessage: reason ? `The refund has failed: ${reason.replaceAll('_', ' ')}` : null,
  };
}

/** Refuses a refund of another amount than was asked for. Errors: ProcessorUnreachable. */
function compare(refund: Stripe.Refund, { amount, currency }: RefundRequest) {
  const isSame =
    refund.amount === toStripe(amount, currency) && refund.currency === toStripeCurrency(currency);
  if (isSame) return;
  throw new ProcessorUnreachable(
    `Stripe’s refund ${refund.id} is of ${refund.amount} ${refund.currency}, not of ${amount} ${currency}`,
  );
}
