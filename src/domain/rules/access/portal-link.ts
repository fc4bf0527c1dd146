import { type CustomerTokenScope, customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { signerFor } from './signing-key.ts';

/** The content of a link to the portal of one customer. */
export interface PortalClaims {
  readonly customerId: string;
  readonly expiresAt: Date;
  /** The key that created the link; undefined for the process itself. */
  readonly apiKeyId: string | undefined;
  /** The scopes of the session that the link opens. */
  readonly scopes: readonly CustomerTokenScope[];
}

const signer = signerFor('billing-portal');
const shape = /^((\w{1,80})\.([0-9a-z]{1,10})\.(\w{0,80})\.([0-9a-z]{1,3}))\.([\w-]{43})$/;

/**
 * The text of a link: the customer, the expiry in base 36, the key, the scopes as bits, and a signature. The signature
 * is an HMAC-SHA256 with a key that the first key of SECRETS_KEY determines.
 */
export function portalLinkText({ customerId, expiresAt, apiKeyId, scopes }: PortalClaims): string {
  const bits = customerTokenScopes.reduce(
    (sum, scope, place) => sum + (scopes.includes(scope) ? 2 ** place : 0),
    0,
  );
  const expiry = expiresAt.getTime().toString(36);
  const signed = `${customerId}.${expiry}.${apiKeyId ?? ''}.${bits.toString(36)}`;
  return `${signed}.${signer.sign(signed)}`;
}

/** The content of a link that a key of this process has signed and that is valid at an instant. */
export function readPortalLink(text: string, now: Date): PortalClaims | undefined {
  const [, signed = '', customerId = '', expiry = '', apiKeyId, bits = '', signature = ''] =
    shape.exec(text) ?? [];
  if (!signed || !signer.isSigned(signed, signature)) return undefined;
  const expiresAt = new Date(Number.parseInt(expiry, 36));
  if (expiresAt <= now) return undefined;
  const granted = Number.parseInt(bits, 36);
  const scopes = customerTokenScopes.filter((_, place) => granted & (2 ** place));
  return { customerId, expiresAt, apiKeyId: apiKeyId || undefined, scopes };
}
