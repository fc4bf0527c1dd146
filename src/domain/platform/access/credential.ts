import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomText } from '#domain/kernel/ids.ts';
import type { ApiKeyType } from '#domain/kernel/session.ts';
import { routeOf } from './key-route.ts';

const shape = /^(sk|pk)_(live|test)_[0-9A-Za-z_]{8,200}$/;

/** Whether a text looks like a key at all; anything else need not be looked up. */
export const isCredential = (text: string) => shape.test(text);

/**
 * A new key: a prefix such as `sk_test_`, the route of its organization, 24 random characters (about 142 bits) and a
 * checksum of 6. The route leads requests to the cell of the organization. The checksum lets a scanner distinguish a
 * leaked key from a similar text.
 */
export function newCredential(type: ApiKeyType, livemode: boolean, organizationId: string) {
  const text = `${prefixOf(type, livemode)}_${routeOf(organizationId)}${randomText(24)}`;
  return text + checksumOf(text);
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The CRC-32 of all before it, as 6 digits of base 62. Keys from before checksums stay valid. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < 6; place++) {
    checksum = digits[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

const prefixOf = (type: ApiKeyType, livemode: boolean) =>
  `${type === 'secret' ? 'sk' : 'pk'}_${livemode ? 'live' : 'test'}`;

/** The stored form of a key. Keys are random and long, so a plain SHA-256 cannot be reversed. */
export const hashCredential = (credential: string) =>
  createHash('sha256').update(credential).digest('hex');

/** The form of a key that is shown after its creation: its prefix and its last 4 characters. */
export const maskCredential = (credential: string) =>
  credential.replace(/^([a-z]+_[a-z]+_).*(.{4})$/, '$1...$2');
