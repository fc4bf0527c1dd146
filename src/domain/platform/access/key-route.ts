import { createHash } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 10;

/**
 * The part of a key that names its organization to a router: the same 10 characters in all keys of an organization. It
 * reveals nothing else.
 */
export function routeOf(organizationId: string): string {
  const digest = createHash('sha256').update(`route ${organizationId}`).digest();
  return Array.from(digest.subarray(0, length), (byte) => digits[byte % digits.length]).join('');
}
