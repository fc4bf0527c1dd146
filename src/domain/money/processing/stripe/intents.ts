import type Stripe from 'stripe';
import type { ChargeName } from '#domain/money/processing/port/charge-types.ts';
import { ProcessorMisconfigured } from '#domain/money/processing/port/processor-errors.ts';
import { asked, isMissing, isRefusedRequest } from './failures.ts';
import { belongsTo, createdSince } from './find.ts';

const expand = ['latest_charge'];
const pageSize = 100;

/** An intent by its id; undefined for one that does not exist in this account and mode. */
export async function readIntent(
  stripe: Stripe,
  reference: string,
): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await asked(stripe.paymentIntents.retrieve(reference, { expand }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The intent whose id is stored; undefined where none is. Errors: ProcessorMisconfigured when this account does not
 * have it, since another account may have taken the money.
 */
export async function storedIntent(
  stripe: Stripe,
  { reference }: Pick<ChargeName, 'reference'>,
): Promise<Stripe.PaymentIntent | undefined> {
  if (reference === null) return undefined;
  const stored = await readIntent(stripe, reference);
  if (stored) return stored;
  throw new ProcessorMisconfigured(
    `Stripe does not know the payment ${reference} in this account: connect the account that has it`,
  );
}

/**
 * The intents of a payment, by the metadata that it has given them, the newest first. Lists show a new intent at once;
 * a search would show it only later.
 */
export async function intentsOf(
  stripe: Stripe,
  { customerReference, begunAt, metadata }: ChargeName,
): Promise<Stripe.PaymentIntent[]> {
  const found: Stripe.PaymentIntent[] = [];
  const list = stripe.paymentIntents.list({
    ...(customerReference !== null && { customer: customerReference }),
    created: { gte: createdSince(begunAt) },
    limit: pageSize,
    expand: ['data.latest_charge'],
  });
  await asked(
    list.autoPagingEach((intent) => {
      if (belongsTo(intent, metadata, 'payment_id')) found.push(intent);
    }),
  );
  return found;
}

/**
 * Cancels an intent, so that it cannot be paid any more. Returns its state afterwards. A repetition has no key: Stripe
 * would repeat an error of its own for a day, and a second cancellation changes nothing.
 */
export async function cancelIntent(
  stripe: Stripe,
  { id }: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent | undefined> {
  await asked(stripe.paymentIntents.cancel(id)).catch((error) => {
    // Too late, or done before: the state shows which.
    if (!isRefusedRequest(error)) throw error;
  });
  return readIntent(stripe, id);
}
