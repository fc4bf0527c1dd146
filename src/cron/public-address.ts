import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An endpoint's address that must not be connected to. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  /** Deliveries show the message, so it does not say which address a name has: that may be a name of an inner network. */
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/** All that is given to anybody in IPv6; what lies outside may lead anywhere, for example into IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is on the public internet: not private, loopback, link-local, shared or reserved. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
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
