/** A URL's path for the log. */
export type LoggedPath = (url: string) => string;

/** An id of Tollgate: its prefix and 21 characters, or a usage event's digest. */
const ownId = /^[a-z_]{2,24}_[0-9A-Za-z]{21,43}$/;

/** The id of a page of the sandbox opens the page, so it is no word for the log. */
const isPublicId = (segment: string) => ownId.test(segment) && !segment.startsWith('sandbox_');

const further = [
  'api',
  'v1',
  'graphql',
  'docs',
  'health',
  'ready',
  'documents',
  'receipt',
  'portal',
  'open',
  'embed',
  'in',
  'checkout',
  'mail-switch',
  'auth',
  'session',
  'sign-in',
  'sign-out',
  'invitations',
  'accept',
  'oidc',
  'callback',
];

/**
 * Paths for the log: words of routes and ids of the service remain. Anything else, such as a
 * customer's external id or an unknown path, becomes `*`. The query is left out.
 */
export function loggedPaths(routes: readonly { readonly path: string }[]): LoggedPath {
  const words = new Set([...further, 'invoice', 'openapi.json', 'openapi-3.0.json', '']);
  for (const { path } of routes) {
    for (const segment of path.split('/')) if (!segment.startsWith(':')) words.add(segment);
  }
  return (url) =>
    url
      .replace(/^[a-z]+:\/\/[^/]*/i, '')
      .replace(/[?#].*$/s, '')
      .split('/')
      .map((segment) => (words.has(segment) || isPublicId(segment) ? segment : '*'))
      .join('/')
      .slice(0, 500);
}
