import type { CorsOrigins } from '#config';
import { DomainError } from '#domain/kernel/errors.ts';

/** The origins whose pages may call; absent for no restriction. */
export type Origins = CorsOrigins | undefined;

/** Whether pages of an origin may call. */
export function isAllowedOrigin(origins: Origins, origin: string): boolean {
  if (origins === undefined || origins === '*') return true;
  return origins === 'loopback' ? isLoopback(origin) : origins.includes(origin);
}

/** Whether pages of an origin come from this machine itself. A browser asks no name server for these names. */
function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The headers of answers that pages may read, besides those that every page may. */
const exposedHeaders = [
  'ETag',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Preference-Applied',
  'Usage-Duplicates',
  'Retry-After',
  'Payment-Action-URL',
  'Subscription-Next-Step',
  'Link',
  'Deprecation',
  'Sunset',
  'Tollgate-Position',
];

/** How long a browser may keep the answer to a preflight. Each request after it is checked on its own. */
const preflightSeconds = 7_200;

/**
 * The CORS headers of an answer; none for a page that the service or the credential of the request does not allow. A
 * preflight has no credential; the request after it has.
 */
export function corsOf(
  request: Request,
  origins: Origins,
  ofCredential: readonly string[] | undefined,
) {
  const origin = request.headers.get('origin') ?? '';
  if (!isAllowedOrigin(origins, origin) || !isAllowedOrigin(ofCredential, origin)) return false;
  const allowed = origins === '*' && !ofCredential ? '*' : origin;
  const kept = request.method === 'OPTIONS' && { maxAge: preflightSeconds };
  return { origin: allowed, credentials: false, exposedHeaders, ...kept } as const;
}

/**
 * Refuses a page whose origin the credential does not allow. Browsers send the origin with each request to another
 * origin and with each socket; a request without one comes from no such page. Errors: FORBIDDEN.
 */
export function requireOrigin(origins: readonly string[], origin: string | null | undefined) {
  if (!origin || origins.includes(origin)) return;
  throw new DomainError(
    'FORBIDDEN',
    'This API key or token may not be used by pages of this origin: add it to allowedOrigins',
  );
}

/** Whether a page is one of this service itself, such as GraphiQL. */
export const isSameOrigin = (origin: string, host: string | undefined) =>
  host !== undefined && URL.canParse(origin) && new URL(origin).host === host;

/** The headers of a request, over HTTP or of the upgrade of a socket. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** Whether the browser states that another site sent the request. `origin` is the start of links to this service. */
export function isForeign({ headers }: { readonly headers: HeaderReader }, origin: string) {
  const site = headers.get('sec-fetch-site');
  if (site && site !== 'same-origin' && site !== 'none') return true;
  const from = headers.get('origin');
  return from !== null && from !== new URL(origin).origin;
}
