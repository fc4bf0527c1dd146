import type Stripe from 'stripe';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { stripeClient, stripePackage } from './client.ts';
import { withoutKeys } from './failures.ts';

/** A key that Stripe has accepted. */
export interface VerifiedKey {
  readonly accountReference: string;
  readonly name: string | null;
  readonly restricted: boolean;
}

const patience = { timeout: 10_000, maxNetworkRetries: 1 } as const;

/**
 * Asks Stripe about a secret key, so that a bad one is refused now and not at the first charge. Errors: BAD_REQUEST for
 * a key of another kind or mode, an unknown key, a missing right and an account that cannot charge;
 * SERVICE_UNAVAILABLE when Stripe does not answer.
 */
export async function verifyKey(secretKey: string, livemode: boolean): Promise<VerifiedKey> {
  const kind = /^(sk|rk)_(live|test)_\w{8,}$/.exec(secretKey);
  if (!kind) throw refusedKey(shapeOf(secretKey));
  const mode = livemode ? 'live' : 'test';
  if (kind[2] !== mode) {
    throw refusedKey(
      `is a key of ${kind[2]} mode, and this is ${mode} mode: use a key of ${mode} mode`,
    );
  }
  const stripe = stripeClient(secretKey);
  const account = await checked(stripe.accounts.retrieveCurrent({}, patience));
  if (livemode && account.charges_enabled === false) {
    throw refusedKey(
      'belongs to an account that cannot charge yet: complete its activation at Stripe',
    );
  }
  const restricted = kind[1] === 'rk';
  if (restricted) await checkRights(stripe);
  const name = account.business_profile?.name ?? account.settings?.dashboard.display_name ?? null;
  return { accountReference: account.id, name, restricted };
}

function shapeOf(secretKey: string) {
  if (/^pk_/.test(secretKey)) return 'is a publishable key: use the secret key, sk_… or rk_…';
  if (/^whsec_/.test(secretKey)) return 'is a secret of a webhook endpoint: use the secret key';
  return 'must be a secret key of Stripe, sk_… or rk_…, without spaces';
}

async function checked<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof stripePackage().errors.StripeAuthenticationError) {
      throw refusedKey('is not accepted by Stripe: it is wrong, expired or revoked');
    }
    if (error instanceof stripePackage().errors.StripePermissionError) {
      throw refusedKey(`lacks a right at Stripe: ${withoutKeys(error.message)}`);
    }
    // The error itself may repeat the key.
    const cause = withoutKeys((error as Error).message);
    throw new DomainError('SERVICE_UNAVAILABLE', 'Stripe did not answer; try again', { cause });
  }
}

const refusedKey = (problem: string) => invalid('INVALID', 'secretKey', problem);

/** An id that no object has: a request about it is refused for its right, or does not find it. */
const nothing = 'tollgate_check_of_rights';

/** The rights that the adapter uses, each with a request that changes nothing. */
const rights: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  'Customers: write': (stripe) => stripe.customers.update(`cus_${nothing}`, {}, patience),
  'Checkout Sessions: write': (stripe) =>
    stripe.checkout.sessions.expire(`cs_${nothing}`, {}, patience),
  'SetupIntents: read': (stripe) => stripe.setupIntents.retrieve(`seti_${nothing}`, {}, patience),
  'PaymentMethods: write': (stripe) => stripe.paymentMethods.detach(`pm_${nothing}`, {}, patience),
  'PaymentIntents: write': (stripe) => stripe.paymentIntents.cancel(`pi_${nothing}`, {}, patience),
  'Charges and Refunds: write': (stripe) => stripe.refunds.update(`re_${nothing}`, {}, patience),
  'Charges: read': (stripe) => stripe.charges.list({ limit: 1 }, patience),
  'Disputes: read': (stripe) => stripe.disputes.list({ limit: 1 }, patience),
  'Events: read': (stripe) => stripe.events.list({ limit: 1 }, patience),
};

/** Refuses a restricted key that lacks a right. Errors: BAD_REQUEST with the names of all missing rights. */
async function checkRights(stripe: Stripe) {
  const missing: string[] = [];
  for (const [right, request] of Object.entries(rights)) {
    try {
      await request(stripe);
    } catch (error) {
      if (error instanceof stripePackage().errors.StripePermissionError) missing.push(right);
      else if (!(error instanceof stripePackage().errors.StripeInvalidRequestError))
        await checked(fail(error));
    }
  }
  if (missing.length > 0) throw refusedKey(`lacks rights at Stripe: ${missing.join('; ')}`);
}

const fail = async (error: unknown): Promise<never> => {
  throw error;
};
