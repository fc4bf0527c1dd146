import { z } from 'zod';
import { type CustomerTokenScope, customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { originsInput } from '#domain/kernel/inputs/origins-input.ts';
import { epochPart } from './link-epoch.ts';
import { signerFor } from './signing-key.ts';

/** The wishes of a link for a frame. */
export const embeddedPortalUrlInput = z.object({
  locale: z.string().nullish(),
  origins: originsInput.nullish(),
});

/** The content of a link to the portal of one customer. */
export interface PortalClaims {
  readonly customerId: string;
  /** The `linkEpoch` of the customer for which the link was signed. */
  readonly epoch: number;
  readonly expiresAt: Date;
  /** The key that created the link; undefined for the process itself. */
  readonly apiKeyId: string | undefined;
  /** The scopes of the session that the link opens. */
  readonly scopes: readonly CustomerTokenScope[];
  /** The origins whose pages may frame the session; none for a link that is opened. */
  readonly origins: readonly string[];
}

const signer = signerFor('billing-portal');
const shape =
  /^((\w{1,80})\.([0-9a-z]{1,10})\.(\w{0,80})\.([0-9a-z]{1,3})(?:\.e([0-9a-z]{1,6}))?(?:\.o([\w-]{1,20000}))?)\.([\w-]{43})$/;

/**
 * The text of a link: the customer, the expiry in base 36, the key, the scopes as bits, and a signature. The epoch
 * follows the scopes unless it is 0, and the origins of a frame follow the epoch. The signature is an HMAC-SHA256 with a
 * key that the first key of SECRETS_KEY determines.
 */
export function portalLinkText(claims: PortalClaims): string {
  const { customerId, epoch, expiresAt, apiKeyId, scopes, origins } = claims;
  const bits = customerTokenScopes.reduce(
    (sum, scope, place) => sum + (scopes.includes(scope) ? 2 ** place : 0),
    0,
  );
  const expiry = expiresAt.getTime().toString(36);
  const framing =
    origins.length > 0 ? `.o${Buffer.from(origins.join(' ')).toString('base64url')}` : '';
  const granted = `${bits.toString(36)}${epochPart(epoch)}`;
  const signed = `${customerId}.${expiry}.${apiKeyId ?? ''}.${granted}${framing}`;
  return `${signed}.${signer.sign(signed)}`;
}

/** The content of a link that a key of this process has signed and that is valid at an instant. */
export function readPortalLink(text: string, now: Date): PortalClaims | undefined {
  const [
    ,
    signed = '',
    customerId = '',
    expiry = '',
    apiKeyId,
    bits = '',
    epoch = '0',
    framing,
    signature = '',
  ] = shape.exec(text) ?? [];
  if (!signed || !signer.isSigned(signed, signature)) return undefined;
  const expiresAt = new Date(Number.parseInt(expiry, 36));
  if (expiresAt <= now) return undefined;
  const granted = Number.parseInt(bits, 36);
  const scopes = customerTokenScopes.filter((_, place) => granted & (2 ** place));
  const origins = framing ? Buffer.from(framing, 'base64url').toString('utf8').split(' ') : [];
  const own = { customerId, epoch: Number.parseInt(epoch, 36), expiresAt };
  return { ...own, apiKeyId: apiKeyId || undefined, scopes, origins };
}
