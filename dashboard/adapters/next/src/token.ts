import {
  CreateCustomerTokenDocument,
  type CreateCustomerTokenMutationVariables,
} from '@tollgate/client/operations';
import { type CustomerOptions, json, signedOut } from './customer.ts';

export interface TokenOptions extends CustomerOptions {
  /** The operations that the token allows besides reading; none when absent. */
  readonly scopes?: CreateCustomerTokenMutationVariables['scopes'];
  /** The life of the token, 60 to 86400 seconds; 900 when absent. */
  readonly expiresIn?: number;
  /** The origins of the pages; that of the request when absent, which is wrong behind some proxies. */
  readonly allowedOrigins?: readonly string[];
}

const usualSeconds = 900;

/**
 * Answers `{ token, expiresAt }` for `TollgateProvider`: `export const POST = tokenRoute({ … })`. The token belongs to
 * the customer who is signed in.
 */
export const tokenRoute =
  ({ connection, customerOf, scopes, expiresIn = usualSeconds, allowedOrigins }: TokenOptions) =>
  async (request: Request): Promise<Response> => {
    const customerExternalId = await customerOf(request);
    if (!customerExternalId) return signedOut();
    const { data } = await connection.execute(CreateCustomerTokenDocument, {
      customerExternalId,
      scopes,
      expiresIn,
      allowedOrigins: [...(allowedOrigins ?? [new URL(request.url).origin])],
    });
    const made = data.createCustomerToken;
    return json({ token: made?.token, expiresAt: made?.customerToken.expiresAt });
  };
