import type Stripe from 'stripe';
import { report, type Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import type {
  ChargeName,
  ChargeOutcome,
  ChargeRequest,
} from '#domain/money/processing/port/charge-types.ts';
import {
  isReplayed,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { leastCharge, toStripe, toStripeCurrency, UnfitAmount } from './amounts.ts';
import { isDecline, isOtherRequest, isRefusedRequest, withoutKeys } from './failures.ts';
import { isRemembered } from './find.ts';
import { cancelIntent, intentsOf, readIntent, storedIntent } from './intents.ts';
import { keyed } from './keyed.ts';
import { misconfigured, outcomeOf, readOf } from './outcomes.ts';

/**
 * Charges in two requests: the first creates the intent, which moves no money, and its id is stored; the second
 * confirms it. A lost answer of either is read back by the id, without an age limit. A repetition sends the same keys
 * and parameters.
 */
export async function charge(
  stripe: Stripe,
  session: Session,
  request: ChargeRequest,
): Promise<ChargeOutcome> {
  const { intent, outcome } = await intentFor(stripe, session, request);
  if (!intent) return outcome;
  if (intent.id !== request.reference) await request.onReference(intent.id);
  compare(intent, request);
  const known = intent.status === 'requires_confirmation' ? outcomeOf(intent) : decided(intent);
  return ended(stripe, intent, known ?? (await confirm(stripe, intent, request)));
}

type Found =
  | { readonly intent: Stripe.PaymentIntent; readonly outcome?: never }
  | { readonly intent?: never; readonly outcome: ChargeOutcome };

/** The intent of a payment: the stored one, the one of an earlier request, or a new one. */
async function intentFor(stripe: Stripe, session: Session, request: ChargeRequest): Promise<Found> {
  const stored = await storedIntent(stripe, request);
  if (stored) return { intent: stored };
  // A forgotten key would make a second intent.
  const [earlier] = isRemembered(request.begunAt, session.now)
    ? []
    : await intentsOf(stripe, request);
  if (earlier) return { intent: earlier };
  return keyed<Found>(
    `${request.idempotencyKey}:create`,
    async (options) => ({
      intent: await stripe.paymentIntents.create(paramsOf(request), options),
    }),
    (error) => foundAfter(stripe, session, request, error),
  );
}

/** The result of a request for an intent that ended with an error; undefined where it has made none. Errors: the error. */
async function foundAfter(
  stripe: Stripe,
  session: Session,
  request: ChargeRequest,
  error: unknown,
): Promise<Found | undefined> {
  if (isOtherRequest(error)) {
    // The earlier request may have named another record of the customer.
    const [other] = await intentsOf(stripe, { ...request, customerReference: null });
    if (other) return { intent: other };
    throw new ProcessorUnreachable('Another request has used the key of this payment', {
      cause: error,
    });
  }
  if (error instanceof UnfitAmount) {
    const asIs = { ...request, reference: null };
    return { outcome: misconfigured(asIs, 'amount_unfit', error.message) };
  }
  if (isDecline(error) || isRefusedRequest(error)) {
    return { outcome: refused({ ...request, reference: null }, error) };
  }
  // Stripe repeats an error of its own for a day, also after the intent was made.
  const made = await intentsOf(stripe, request).catch((lookupError: unknown) => {
    report(session, request.idempotencyKey, lookupError);
    throw error;
  });
  return made[0] && { intent: made[0] };
}

const paramsOf = (request: ChargeRequest): Stripe.PaymentIntentCreateParams => ({
  amount: toStripe(request.amount, request.currency),
  currency: toStripeCurrency(request.currency),
  ...(request.customerReference !== null && { customer: request.customerReference }),
  payment_method: request.token,
  allowed_payment_method_types: [
    request.paymentMethodType as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType,
  ],
  description: request.description,
  metadata: { ...request.metadata },
});

/** Confirms an intent. A decline and a refusal are read back, so that all ways lead to one outcome. */
async function confirm(
  stripe: Stripe,
  { id }: Stripe.PaymentIntent,
  request: ChargeRequest,
): Promise<ChargeOutcome> {
  const params = {
    ...(request.offSession && { off_session: true }),
    expand: ['latest_charge'],
  };
  return keyed(
    `${request.idempotencyKey}:confirm:${request.offSession ? 'off' : 'on'}`,
    async (options) => {
      const outcome = outcomeOf(await stripe.paymentIntents.confirm(id, params, options));
      if (outcome) return outcome;
      throw new ProcessorUnreachable(`Stripe has not decided about ${id}`);
    },
    (error) => outcomeAfter(stripe, id, request, error),
  );
}

/** The outcome of a confirmation that ended with an error; undefined where it has confirmed nothing. Errors: the error. */
async function outcomeAfter(
  stripe: Stripe,
  id: string,
  request: ChargeRequest,
  error: unknown,
): Promise<ChargeOutcome | undefined> {
  const isAnswered = isDecline(error) || isRefusedRequest(error) || isOtherRequest(error);
  if (!isAnswered && !isReplayed(error)) throw error;
  const present = await readIntent(stripe, id);
  const outcome = present && outcomeOf(present);
  if (outcome) return outcome;
  if (isOtherRequest(error)) {
    throw new ProcessorUnreachable(`Another request has confirmed ${id}`, { cause: error });
  }
  if (isAnswered) return refused({ ...request, reference: id }, error as Stripe.errors.StripeError);
  if (present?.status !== 'requires_confirmation') throw error;
  return undefined;
}

/**
 * An intent after a failure is canceled, since it could still be paid: a payment fails only when nothing can charge it
 * any more. Returns the outcome afterwards. Errors: ProcessorUnreachable while it is not canceled.
 */
async function ended(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  outcome: ChargeOutcome,
): Promise<ChargeOutcome> {
  if (outcome.status !== 'failed' || intent.status === 'canceled') return outcome;
  const present = await cancelIntent(stripe, intent);
  if (present?.status === 'canceled') return outcome;
  const found = present && outcomeOf(present);
  if (found && found.status !== 'failed') return found;
  throw new ProcessorUnreachable(`Stripe has not canceled ${intent.id}`);
}

const decided = (intent: Stripe.PaymentIntent) => {
  const outcome = outcomeOf(intent);
  // Without a refusal its payment method is gone, so that it cannot be confirmed.
  return (
    outcome ??
    misconfigured(
      readOf(intent),
      'payment_intent_unexpected_state',
      `The payment ${intent.id} has no payment method at Stripe`,
    )
  );
};

function refused(
  request: Pick<ChargeOutcome, 'reference' | 'amount' | 'currency'>,
  { code, param, message }: Stripe.errors.StripeError,
): ChargeOutcome {
  if (code === 'amount_too_small') {
    const { amount, currency } = request;
    const problem = `Stripe does not charge as little as ${moneyText(amount, currency)}: the least amount is ${leastCharge(currency)} where it settles in ${currency}. Add the amount to another invoice, or void this one`;
    return misconfigured(request, code, problem);
  }
  const place = param ? ` (${param})` : '';
  return misconfigured(request, code ?? 'invalid_request', `${withoutKeys(message)}${place}`);
}

/** Refuses an intent about another amount than the payment. Errors: ProcessorUnreachable. */
function compare(intent: Stripe.PaymentIntent, { amount, currency }: ChargeRequest) {
  const isSame =
    intent.amount === toStripe(amount, currency) && intent.currency === toStripeCurrency(currency);
  if (isSame) return;
  throw new ProcessorUnreachable(
    `Stripe’s payment ${intent.id} is about ${intent.amount} ${intent.currency}, not about ${amount} ${currency}`,
  );
}

/**
 * The state of a payment: of the intent whose id is stored, and of the others that its metadata name, such as that of a
 * page. One that has taken money, or may, goes before the others.
 */
export async function lookup(stripe: Stripe, name: ChargeName): Promise<ChargeOutcome | undefined> {
  const stored = await storedIntent(stripe, name);
  const outcome = stored && outcomeOf(stored);
  if (outcome && rank(outcome) > 0) return outcome;
  const others = (await intentsOf(stripe, name)).filter(({ id }) => id !== stored?.id);
  const [best] = [...(stored ? [stored] : []), ...others]
    .flatMap((intent) => {
      const outcome = outcomeOf(intent);
      return outcome ? { intent, outcome } : [];
    })
    .toSorted((one, other) => rank(other.outcome) - rank(one.outcome));
  return best && ended(stripe, best.intent, best.outcome);
}

const order = ['canceled', 'failed', 'requires_action', 'processing', 'succeeded'] as const;
const rank = ({ status }: ChargeOutcome) => order.indexOf(status) - 1;

/** Cancels each intent of a payment that is still open, and returns the state afterwards. */
export async function cancel(stripe: Stripe, name: ChargeName): Promise<ChargeOutcome | undefined> {
  const stored = await storedIntent(stripe, name);
  const intents = await intentsOf(stripe, name);
  if (stored && !intents.some(({ id }) => id === stored.id)) intents.push(stored);
  for (const intent of intents) {
    if (!['canceled', 'succeeded'].includes(intent.status)) await cancelIntent(stripe, intent);
  }
  return intents.length > 0 ? lookup(stripe, name) : undefined;
}
