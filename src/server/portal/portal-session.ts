import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isTokenText } from '#domain/rules/access/token-text.ts';

const cookieName = 'tollgate_portal';

/** How long a session of the portal lasts. */
export const sessionSeconds = 3_600;

/** The cookie of a session: a customer token, which no script reads and no form of another site sends. */
export function sessionCookie(token: string, path: string, isSecure: boolean): string {
  const always = `Path=${path}; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax`;
  return `${cookieName}=${token}; ${always}${isSecure ? '; Secure' : ''}`;
}

/** The customer token in the cookie of a request. */
export function tokenIn(request: Request): string | undefined {
  for (const part of request.headers.get('cookie')?.split(';') ?? []) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === cookieName && isTokenText(value)) return value;
  }
  return undefined;
}

/** Proves that a form comes from a page of the session: only such a page knows it. */
export const formToken = (token: string) =>
  createHmac('sha256', token).update('form of the portal').digest('base64url');

export function isFormToken(token: string, given: string): boolean {
  const [own, other] = [Buffer.from(formToken(token)), Buffer.from(given)];
  return own.length === other.length && timingSafeEqual(own, other);
}

/** Names one form of one page, so that a repeated submission acts once. */
export const newAttempt = () => randomBytes(18).toString('base64url');
