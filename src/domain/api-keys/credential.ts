import { createHash } from 'node:crypto';
import { randomText } from '../ids.ts';
import type { ApiKeyType } from '../session.ts';

const shape = /^(sk|pk)_(live|test)_[0-9A-Za-z_]{8,200}$/;

/** Whether a text looks like a key at all; anything else need not be looked up. */
export const isCredential = (text: string) => shape.test(text);

/** A new key, for example `sk_test_` and 40 random characters (about 238 bits). */
export const newCredential = (type: ApiKeyType, livemode: boolean) =>
  `${prefixOf(type, livemode)}_${randomText(40)}`;

export const prefixOf = (type: ApiKeyType, livemode: boolean) =>
  `${type === 'secret' ? 'sk' : 'pk'}_${livemode ? 'live' : 'test'}`;

/** What is stored of a key. Keys are random and long, so a plain SHA-256 cannot be reversed. */
export const hashCredential = (credential: string) =>
  createHash('sha256').update(credential).digest('hex');

/** What is shown of a key after its creation: its kind and its last four characters. */
export const maskCredential = (credential: string) =>
  credential.replace(/^([a-z]+_[a-z]+_).*(.{4})$/, '$1...$2');
