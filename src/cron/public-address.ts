import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublic } from '#domain/webhooks/public-host.ts';

/** An endpoint's address that must not be connected to. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  /** Deliveries show the message, so it does not say which address a name has: that may be a name of an inner network. */
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/** Refuses a URL's host that is itself an address which is not public: such a one is never looked up. */
export function checkHost(hostname: string) {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublic(host)) throw new PrivateAddressError(host);
}

/**
 * Looks a name up for a connection that is about to be made. The addresses that are checked are the very
 * ones that are connected to, so a name that changes its mind between two look-ups gains nothing. One
 * private address spoils the name.
 */
export const publicLookup: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '');
    if (!addresses.every(({ address }) => isPublic(address))) {
      return done(new PrivateAddressError(host), '');
    }
    const [first] = addresses;
    if (options.all || !first) return done(null, addresses);
    done(null, first.address, first.family);
  });
};
