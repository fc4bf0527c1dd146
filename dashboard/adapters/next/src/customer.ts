import type { Connection } from '@tollgate/client';
import { BillingPortalDocument } from '@tollgate/client/operations';

/** The options of each route. */
export interface CustomerOptions {
  /** A connection with a secret key, which stays on your server. */
  readonly connection: Connection;
  /** Your own id of the customer who is signed in; undefined or null for a visitor. */
  readonly customerOf: (request: Request) => CustomerId | Promise<CustomerId>;
}

type CustomerId = string | null | undefined;

/** An answer as JSON that no cache keeps. */
export const json = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } });

/** The answer to a visitor who is not signed in. */
export const signedOut = (): Response => json({ message: 'Sign in first' }, 401);

/** The address of the portal of a customer. Errors: a key that may not create one. */
export async function portalOf(
  connection: Connection,
  externalId: string,
  locale?: string,
): Promise<string> {
  const { data } = await connection.execute(BillingPortalDocument, { externalId, locale });
  const address = data.customerBilling?.billingPortalUrl;
  if (!address) throw new Error('The key of the connection needs the scope customer_tokens_write');
  return address;
}
