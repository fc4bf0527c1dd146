import { createHash } from 'node:crypto';
import { randomText } from '#domain/kernel/ids.ts';

const length = 43;
const shape = new RegExp(`^[0-9A-Za-z]{${length}}$`);

/** A random text of 256 bits, for a cookie or a link. */
export const newSecretText = () => randomText(length);

/** Whether a text looks like one at all; anything else need not be looked up. */
export const isSecretText = (text: string) => shape.test(text);

/** The stored form. The texts are random and long, so a plain SHA-256 cannot be reversed. */
export const hashSecretText = (text: string) => createHash('sha256').update(text).digest('hex');
