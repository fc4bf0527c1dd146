import type { CredentialType } from '#domain/kernel/session.ts';
import { isCredential } from '#domain/platform/access/credential.ts';
import { isTokenText } from '#domain/platform/access/token-text.ts';
import { AuthenticationError } from './authentication-error.ts';

/**
 * The key or the token of an `Authorization` header (`Bearer <key>`, or the bare key). Errors: UNAUTHORIZED for none, and
 * for a text that cannot be one.
 */
export function credentialIn(header: string | null | undefined): string {
  if (!header?.trim()) {
    throw new AuthenticationError('missing', 'Authorization not provided', {
      issues: [
        {
          code: 'REQUIRED',
          path: ['Authorization'],
          message: 'must be Bearer <API key>, or the bare key',
        },
      ],
    });
  }
  const credential = textIn(header);
  if (!credential || !(isCredential(credential) || isTokenText(credential))) {
    throw new AuthenticationError(
      'malformed',
      /^([sp]k|ct)_(test|live)_/.test(credential ?? '')
        ? 'The API key is incomplete or contains a character that keys do not have'
        : 'Authorization must be Bearer <API key>, or the bare key',
    );
  }
  return credential;
}

/** The text of a header where a key or a token belongs; undefined without one. */
export const textIn = (header: string | null | undefined) =>
  /^\s*(?:bearer\s+)?(\S+)\s*$/i.exec(header ?? '')?.[1];

/** The type of the key in a header, by its prefix; that of an operator without one. */
export function keyTypeIn(header: string | null): CredentialType {
  const text = textIn(header) ?? '';
  if (isTokenText(text)) return 'customer_token';
  return text.startsWith('pk_') ? 'publishable' : 'secret';
}
