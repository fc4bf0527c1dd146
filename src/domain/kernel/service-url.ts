/** The address of this service, without a slash at its end. */
let origin = 'http://127.0.0.1:4000';

/** Sets the address of this process, once, before it serves. */
export function useServiceUrl(url: string) {
  origin = url.replace(/\/$/, '');
}

/** An absolute address of this service, for pages that send customers back to it. */
export const serviceUrl = (path: string): string => `${origin}${path}`;
