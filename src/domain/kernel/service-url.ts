/**
 * The address of this service, without a slash at its end. It is a setting of the process like the keys of secrets: it
 * is set at the start, is the same for every organization and request, and no decision depends on it. A field of the
 * session would have to pass through every request, job and test that opens one, for the three pages that name it.
 */
let origin = 'http://127.0.0.1:4000';

/** Sets the address of this process, once, before it serves. */
export function useServiceUrl(url: string) {
  origin = url.replace(/\/$/, '');
}

/** An absolute address of this service, for pages that send customers back to it. */
export const serviceUrl = (path: string): string => `${origin}${path}`;
