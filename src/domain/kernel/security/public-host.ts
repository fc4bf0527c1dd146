import ipaddr from 'ipaddr.js';

/** The range of public IPv6 addresses; others may map elsewhere, for example into IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** An address of the public range at which a virtual machine reaches the platform below it (Azure). */
const platforms: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Whether an address is on the public internet: not private, loopback, link-local, shared, reserved or a platform's. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (platforms.has(parsed.toString())) return false;
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** Names of this machine or of a private network by convention (RFC 6761, RFC 6762, RFC 8375). */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/**
 * Whether the host of a URL can be public, by its text alone. An address that is not public cannot, nor a name of
 * this machine or of a private network. Every delivery checks the addresses to which the name resolves.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return isPublic(host);
  return host.includes('.') && !privateNames.test(host);
}
