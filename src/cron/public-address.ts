import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublic } from '#domain/webhooks/public-host.ts';

/** An endpoint's address that must not be connected to. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  constructor(host: string, address: string) {
    super(
      host === address
        ? `${host} is not a public address`
        : `${host} resolves to ${address}, which is not a public address`,
    );
  }
}

/** Refuses a URL's host that is itself an address which is not public: such a one is never looked up. */
export function checkHost(hostname: string) {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublic(host)) throw new PrivateAddressError(host, host);
}

/**
 * Looks a name up for a connection that is about to be made. The addresses that are checked are the very
 * ones that are connected to, so a name that changes its mind between two look-ups gains nothing. One
 * private address spoils the name.
 */
export const publicLookup: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '');
    const hidden = addresses.find(({ address }) => !isPublic(address));
    if (hidden) return done(new PrivateAddressError(host, hidden.address), '');
    const [first] = addresses;
    if (options.all || !first) return done(null, addresses);
    done(null, first.address, first.family);
  });
};
