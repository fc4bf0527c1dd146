import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSecretText } from '#domain/platform/commands/operators/secret-text.ts';
import type { HeaderReader } from '../http/origins.ts';

const name = 'tollgate_session';

/** Where the browser sees this service: `https://billing.example.com/prefix`. */
const placeOf = (origin: string) => {
  const { protocol, pathname } = new URL(origin);
  const path = pathname.replace(/\/$/, '');
  return { isSecure: protocol === 'https:', path };
};

/**
 * The name of a cookie. Over https it has a prefix that browsers accept only from this host over https, so that no
 * other host of the domain sets it.
 */
export function cookieName(origin: string, plain = name): string {
  const { isSecure, path } = placeOf(origin);
  if (!isSecure) return plain;
  return `${path === '' && plain === name ? '__Host-' : '__Secure-'}${plain}`;
}

interface Cookie {
  readonly value: string;
  readonly seconds: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** Its name and its path below that of the service; those of the session when absent. */
  readonly name?: string;
  readonly path?: string;
}

/** A cookie that no script reads. */
export function cookieText(origin: string, cookie: Cookie): string {
  const { isSecure, path } = placeOf(origin);
  const parts = [
    `${cookieName(origin, cookie.name)}=${cookie.value}`,
    `Path=${path}${cookie.path ?? (path === '' ? '/' : '')}`,
    `Max-Age=${cookie.seconds}`,
    'HttpOnly',
    `SameSite=${cookie.sameSite}`,
    ...(isSecure ? ['Secure'] : []),
  ];
  return parts.join('; ');
}

/** The cookie of a session. No request of another site has it. */
export const sessionCookie = (origin: string, value: string, seconds: number) =>
  cookieText(origin, { value, seconds, sameSite: 'Strict' });

/** The value of a cookie of a request. */
export function cookieIn(headers: HeaderReader, wanted: string): string | undefined {
  for (const part of headers.get('cookie')?.split(';') ?? []) {
    const [own, value = ''] = part.trim().split('=', 2);
    if (own === wanted) return value;
  }
  return undefined;
}

/** The text of the session in the cookie of a request. */
export function sessionTextIn(headers: HeaderReader, origin: string): string | undefined {
  const value = cookieIn(headers, cookieName(origin));
  return value !== undefined && isSecretText(value) ? value : undefined;
}

/** Proves that a request comes from a page of this service: only such a page can read it. */
export const csrfTokenOf = (text: string) =>
  createHmac('sha256', text).update('csrf of an operator').digest('base64url');

export function isCsrfToken(text: string, given: string | undefined): boolean {
  const [own, other] = [Buffer.from(csrfTokenOf(text)), Buffer.from(given ?? '')];
  return own.length === other.length && timingSafeEqual(own, other);
}
