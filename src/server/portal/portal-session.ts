import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isTokenText } from '#domain/platform/access/token-text.ts';

const cookieName = 'tollgate_portal';
const localeCookieName = 'tollgate_portal_locale';

/** How long a session of the portal lasts. */
export const sessionSeconds = 3_600;

/** The cookie of a session: a customer token, which no script reads and no form of another site sends. */
export const sessionCookie = (token: string, path: string, isSecure: boolean) =>
  cookie(cookieName, token, path, isSecure);

/** The cookie with the language that the link or the customer has chosen. */
export const localeCookie = (locale: string, path: string, isSecure: boolean) =>
  cookie(localeCookieName, locale, path, isSecure);

function cookie(name: string, value: string, path: string, isSecure: boolean): string {
  const always = `Path=${path}; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${always}${isSecure ? '; Secure' : ''}`;
}

function cookieIn(request: Request, wanted: string): string | undefined {
  for (const part of request.headers.get('cookie')?.split(';') ?? []) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === wanted) return value;
  }
  return undefined;
}

/** The session that a request names. */
export interface NamedSession {
  readonly token: string;
  /** The language that the link or the customer has chosen. */
  readonly locale: string | undefined;
  /** The path of its pages, as the browser sees it. */
  readonly base: string;
  /** The page, below that path. */
  readonly path: string;
  /** Whether the session is in the address: browsers block the cookies of a frame on another site. */
  readonly isFramed: boolean;
}

const framedPath = /^in\/(?:([A-Za-z]{2,3}(?:-[A-Za-z]{2})?)\/)?(ct_[^/]+)(?:\/(.*))?$/;

/** The session in the address or in the cookie of a request, for a page below the path of the portal. */
export function sessionIn(request: Request, path: string, root: string): NamedSession | undefined {
  const [framed, locale, inPath = '', page = ''] = framedPath.exec(path) ?? [];
  if (framed !== undefined) {
    if (!isTokenText(inPath)) return undefined;
    return {
      token: inPath,
      locale,
      base: framedBase(root, inPath, locale),
      path: page,
      isFramed: true,
    };
  }
  const token = cookieIn(request, cookieName);
  if (!token || !isTokenText(token)) return undefined;
  const chosen = cookieIn(request, localeCookieName);
  return { token, locale: chosen, base: root, path, isFramed: false };
}

/** The path of the pages of a frame. */
export const framedBase = (root: string, token: string, locale: string | undefined) =>
  `${root}/in/${locale ? `${locale}/` : ''}${token}`;

/** Proves that a form comes from a page of the session: only such a page knows it. */
export const formToken = (token: string) =>
  createHmac('sha256', token).update('form of the portal').digest('base64url');

export function isFormToken(token: string, given: string): boolean {
  const [own, other] = [Buffer.from(formToken(token)), Buffer.from(given)];
  return own.length === other.length && timingSafeEqual(own, other);
}

/** Names one form of one page, so that a repeated submission acts once. */
export const newAttempt = () => randomBytes(18).toString('base64url');
