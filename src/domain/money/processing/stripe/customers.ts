import type Stripe from 'stripe';
import { inAscii } from '#domain/kernel/inputs/email-input.ts';
import type {
  CustomerRecord,
  MethodDetails,
} from '#domain/money/processing/port/processor-objects.ts';
import { asked, isMissing, isRefusedRequest } from './failures.ts';
import { keyed } from './keyed.ts';
import { methodDetailsOf } from './method-details.ts';

/**
 * Creates the record of a customer, or updates it. The first request has nothing that changes, so that its repetition
 * is identical; name and email follow. A record that was deleted at Stripe is replaced.
 */
export async function saveCustomer(stripe: Stripe, record: CustomerRecord): Promise<string> {
  const { name, email, customerId, reference } = record;
  const isThere = reference !== null && (await hasCustomer(stripe, reference));
  const id = isThere ? reference : await create(stripe, record);
  const metadata = { customer_id: customerId };
  try {
    await asked(stripe.customers.update(id, { name, email: inAscii(email), metadata }));
    return id;
  } catch (error) {
    // The key may have found a record that was deleted since it was created.
    if (!isRefusedRequest(error) || id === reference || (await hasCustomer(stripe, id)))
      throw error;
    return saveCustomer(stripe, { ...record, reference: id });
  }
}

async function create(
  stripe: Stripe,
  { customerId, idempotencyKey, reference }: CustomerRecord,
): Promise<string> {
  const key = reference === null ? idempotencyKey : `${idempotencyKey}:after:${reference}`;
  const metadata = { customer_id: customerId };
  const created = await keyed(key, (options) => stripe.customers.create({ metadata }, options));
  return created.id;
}

/** Whether a customer’s record exists and is not deleted. */
export async function hasCustomer(stripe: Stripe, reference: string): Promise<boolean> {
  try {
    const found = await asked(stripe.customers.retrieve(reference));
    return !('deleted' in found && found.deleted);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A payment method; null for an unknown one and for a type that is not supported. */
export async function readMethod(stripe: Stripe, token: string): Promise<MethodDetails | null> {
  try {
    return methodDetailsOf(await asked(stripe.paymentMethods.retrieve(token)));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Detaches a payment method for good; one that is detached or unknown stays so. */
export async function detachMethod(stripe: Stripe, token: string): Promise<void> {
  try {
    await asked(stripe.paymentMethods.detach(token));
  } catch (error) {
    if (!isRefusedRequest(error)) throw error;
    const present = await readMethod(stripe, token);
    if (present?.customerReference != null) throw error;
  }
}
