import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublic } from './public-host.ts';

/** An endpoint's address that must not be connected to. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  /** Deliveries show the message, so it omits the address of a name, which may belong to an inner network. */
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/** Refuses a URL whose host is itself an address that is not public: such a host is never looked up. */
export function checkHost(hostname: string) {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublic(host)) throw new PrivateAddressError(host);
}

/**
 * Looks a name up for a new connection. The connection uses the checked addresses, so a name that changes between two
 * lookups gains nothing. One private address refuses the name.
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
