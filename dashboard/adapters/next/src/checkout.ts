import { TollgateError } from '@tollgate/client';
import { BillingStateDocument, CreateCheckoutSessionDocument } from '@tollgate/client/operations';
import { type CustomerOptions, json, portalOf, signedOut } from './customer.ts';

export interface CheckoutOptions extends CustomerOptions {
  /** Where the customer goes after completion; a path of the application, or a whole address. */
  readonly successUrl: string;
  /** Where the customer goes without completion. */
  readonly cancelUrl: string;
}

/**
 * Answers `CheckoutButton` and `PricingTable`: `export const POST = checkoutRoute({ … })`. It creates a checkout
 * session for the price. A customer who pays for a plan already gets the address of the portal, which changes it.
 */
export const checkoutRoute =
  ({ connection, customerOf, successUrl, cancelUrl }: CheckoutOptions) =>
  async (request: Request): Promise<Response> => {
    // A form of another site cannot send this type, so that no other site opens checkouts.
    if (!request.headers.get('content-type')?.startsWith('application/json')) {
      return json({ message: 'Send application/json' }, 415);
    }
    const customerExternalId = await customerOf(request);
    if (!customerExternalId) return signedOut();
    const wanted = wantedIn(await request.json().catch(() => undefined));
    if (!wanted) return json({ message: 'Send a priceId, and a quantity from 1 on' }, 400);
    const { data } = await connection.execute(BillingStateDocument, {
      externalId: customerExternalId,
    });
    const subscriptions = data.customer?.currentSubscriptions ?? [];
    if (subscriptions.some(({ isFreePlan }) => !isFreePlan)) {
      return json({ url: await portalOf(connection, customerExternalId) });
    }
    const own = new URL(request.url);
    const addresses = {
      successUrl: new URL(successUrl, own).href,
      cancelUrl: new URL(cancelUrl, own).href,
    };
    const checkoutSession = {
      type: 'product',
      customerExternalId,
      ...wanted,
      ...addresses,
    } as const;
    try {
      const { data } = await connection.execute(CreateCheckoutSessionDocument, { checkoutSession });
      return json({ url: data.createCheckoutSession?.url });
    } catch (error) {
      if (!(error instanceof TollgateError) || error.code !== 'BAD_REQUEST') throw error;
      return json({ message: error.message }, 400);
    }
  };

/** The price and the quantity in a body. A browser may send anything. */
function wantedIn(body: unknown) {
  const { priceId, quantity = 1 } = (body ?? {}) as { priceId?: unknown; quantity?: unknown };
  if (typeof priceId !== 'string' || typeof quantity !== 'number') return undefined;
  return Number.isSafeInteger(quantity) && quantity > 0 ? { priceId, quantity } : undefined;
}
