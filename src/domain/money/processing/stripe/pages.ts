import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { ChargeName } from '#domain/money/processing/port/charge-types.ts';
import { ProcessorUnreachable } from '#domain/money/processing/port/processor-errors.ts';
import type {
  HostedPage,
  PageRequest,
  PageStatus,
  PaymentPageState,
  SetupState,
} from '#domain/money/processing/port/processor-objects.ts';
import { toStripe, toStripeCurrency } from './amounts.ts';
import { cancel } from './charges.ts';
import { asked, isRefusedRequest } from './failures.ts';
import { expanded } from './find.ts';
import { keyed } from './keyed.ts';
import { methodDetailsOf, offeredTypes } from './method-details.ts';
import { outcomeOf } from './outcomes.ts';

/** A page where the customer enters a payment method, which is then charged without the customer. */
export async function openSetup(stripe: Stripe, request: PageRequest): Promise<HostedPage> {
  const { idempotencyKey, metadata } = request;
  const params: Stripe.Checkout.SessionCreateParams = {
    ...pageOf(request),
    mode: 'setup',
    currency: toStripeCurrency(request.currency),
    // Neither object inherits metadata from the other.
    metadata: { ...metadata },
    setup_intent_data: { metadata: { ...metadata } },
  };
  return hostedPage(await created(stripe, idempotencyKey, params));
}

/** A request for a page where the customer pays. */
export interface PaymentPageRequest extends PageRequest {
  readonly amount: number;
  readonly description: string;
  readonly charge: ChargeName;
}

/**
 * A page where the customer pays with any payment method, which is then charged without the customer. The page makes a
 * charge of its own, so the earlier one is canceled first. Errors: ProcessorUnreachable while that one may take money.
 */
export async function openPayment(
  stripe: Stripe,
  request: PaymentPageRequest,
): Promise<HostedPage> {
  const earlier = await cancel(stripe, request.charge);
  if (earlier && ['succeeded', 'processing'].includes(earlier.status)) {
    throw new ProcessorUnreachable(`The payment is ${earlier.status} at Stripe: no page is opened`);
  }
  const { idempotencyKey, amount, currency, description } = request;
  const metadata = { ...request.charge.metadata, ...request.metadata };
  const params: Stripe.Checkout.SessionCreateParams = {
    ...pageOf(request),
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: toStripeCurrency(currency),
          unit_amount: toStripe(amount, currency),
          product_data: { name: description },
        },
      },
    ],
    // The invoice is about this currency and no other.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: { setup_future_usage: 'off_session', description, metadata },
  };
  return hostedPage(await created(stripe, idempotencyKey, params));
}

/**
 * Creates a page. One whose answer is lost has no address that a customer knows, so another one does no harm. Another
 * process, or a later version, may ask with other addresses, and the record of the customer may be another: Stripe
 * refuses a key that it knows with other parameters, so they are a part of it.
 */
function created(stripe: Stripe, key: string, params: Stripe.Checkout.SessionCreateParams) {
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('base64url');
  return keyed(`${key}:${digest.slice(0, 16)}`, (options) =>
    stripe.checkout.sessions.create(params, options),
  );
}

const pageOf = ({ customerReference, returnUrl, cancelUrl }: PageRequest) => ({
  ui_mode: 'hosted_page' as const,
  customer: customerReference,
  allowed_payment_method_types:
    offeredTypes as Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[],
  success_url: withSession(returnUrl),
  cancel_url: cancelUrl,
});

const placeholder = '{CHECKOUT_SESSION_ID}';

/** The address of the return, with the place where Stripe writes the id of the page. */
function withSession(url: string): string {
  if (url.includes(placeholder)) return url;
  const [address = '', fragment] = url.split('#', 2);
  const joined = `${address}${address.includes('?') ? '&' : '?'}session_id=${placeholder}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function hostedPage({ id, url, expires_at }: Stripe.Checkout.Session): HostedPage {
  if (!url)
    throw new ProcessorUnreachable(`The page ${id} has no address: it is not open any more`);
  return { reference: id, url, expiresAt: new Date(expires_at * 1_000) };
}

export async function readSetup(stripe: Stripe, reference: string): Promise<SetupState> {
  const session = await readPage(stripe, reference, 'setup_intent.payment_method');
  const intent = expanded(session.setup_intent);
  const method = intent?.status === 'succeeded' ? expanded(intent.payment_method) : null;
  const status = statusOf(session);
  // A bank account is complete once the bank has confirmed it, later than the page.
  const isAwaited = status === 'completed' && !method;
  return { status: isAwaited ? 'open' : status, method: method && methodDetailsOf(method) };
}

export async function readPayment(stripe: Stripe, reference: string): Promise<PaymentPageState> {
  const session = await readPage(
    stripe,
    reference,
    'payment_intent.latest_charge',
    'payment_intent.payment_method',
  );
  const intent = expanded(session.payment_intent);
  const method = intent && expanded(intent.payment_method);
  return {
    status: statusOf(session),
    outcome: (intent && outcomeOf(intent)) ?? null,
    method: method && methodDetailsOf(method),
  };
}

const readPage = (stripe: Stripe, reference: string, ...expand: string[]) =>
  asked(stripe.checkout.sessions.retrieve(reference, { expand }));

/** Expires a page. One that is complete or expired stays so. */
export async function closePage(stripe: Stripe, reference: string): Promise<void> {
  try {
    await asked(stripe.checkout.sessions.expire(reference));
  } catch (error) {
    if (!isRefusedRequest(error)) throw error;
    const { status } = await asked(stripe.checkout.sessions.retrieve(reference));
    if (status === 'open') throw error;
  }
}

const statusOf = ({ status }: Stripe.Checkout.Session): PageStatus =>
  status === 'complete' ? 'completed' : status === 'expired' ? 'expired' : 'open';
