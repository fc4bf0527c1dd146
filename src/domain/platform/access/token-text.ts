import { signerFor } from './signing-key.ts';

const idPrefix = 'customer_token_';
const shape = /^(ct_(?:live|test)_([0-9A-Za-z]{8,64})\.([0-9a-z]{1,10}))\.([\w-]{43})$/;
const signer = signerFor('customer-token');

/** Whether a text looks like a customer token at all. */
export const isTokenText = (text: string) => shape.test(text);

interface Claims {
  readonly id: string;
  readonly expiresAt: Date;
}

/**
 * The text of a customer token: `ct_test_`, the random part of its id, its expiry in base 36, and a signature. The
 * signature is an HMAC-SHA256 with a key that the first key of SECRETS_KEY determines; no table stores it.
 */
export function tokenText({ id, expiresAt, livemode }: Claims & { livemode: boolean }): string {
  const random = id.slice(idPrefix.length);
  const signed = `ct_${livemode ? 'live' : 'test'}_${random}.${expiresAt.getTime().toString(36)}`;
  return `${signed}.${signer.sign(signed)}`;
}

/**
 * The id and the expiry in the text of a token, if a key of this process signed it. Needs no database, so a forged
 * token costs no statement.
 */
export function readTokenText(text: string): Claims | undefined {
  const [, signed = '', random = '', expiry = '', given = ''] = shape.exec(text) ?? [];
  if (!signed || !signer.isSigned(signed, given)) return undefined;
  return { id: idPrefix + random, expiresAt: new Date(Number.parseInt(expiry, 36)) };
}
