import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { secretsKeys } from '#domain/kernel/security/secrets.ts';

/** Signs texts of one purpose with keys that SECRETS_KEY determines. No table stores a signature. */
export interface Signer {
  /** The signature of a text with the first key, in base64url. */
  sign(text: string): string;
  /** Whether a key of this process has signed the text. Needs no database. */
  isSigned(text: string, signature: string): boolean;
}

/** A signer whose keys are derived, so that signatures reveal nothing of the keys that encrypt. */
export function signerFor(purpose: string): Signer {
  const derived = new WeakMap<KeyObject, Buffer>();
  const keyOf = (key: KeyObject) => {
    const known = derived.get(key) ?? Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
    derived.set(key, known);
    return known;
  };
  const digest = (key: KeyObject, text: string) =>
    createHmac('sha256', keyOf(key)).update(text).digest();
  return {
    sign(text) {
      const [current] = secretsKeys();
      if (!current) throw new Error('SECRETS_KEY is not set up in this process');
      return digest(current.key, text).toString('base64url');
    },
    isSigned(text, signature) {
      const given = Buffer.from(signature, 'base64url');
      return secretsKeys().some(({ key }) => {
        const expected = digest(key, text);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
