import { createHash } from 'node:crypto';
import { customAlphabet } from 'nanoid';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** How many characters an id has after its prefix. */
export const idLength = 21;

/** How many of them tell the instant, in milliseconds. They suffice until the year 8888. */
const timeLength = 8;

const random = customAlphabet(alphabet, idLength - timeLength);

/**
 * A new id: `<prefix>_` and 21 characters of 0-9A-Za-z. The first 8 tell the instant, the others are random. So new
 * rows are neighbours in an index of ids: few of its pages change, and few are written. No rule reads the instant; it
 * is that of the process, which never goes back.
 */
export const newId = (prefix: string) =>
  `${prefix}_${instantText(Math.floor(performance.timeOrigin + performance.now()))}${random()}`;

let lastInstant = 0;
let lastText = '';

function instantText(instant: number): string {
  if (instant === lastInstant) return lastText;
  let text = '';
  for (let rest = instant; text.length < timeLength; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet[rest % alphabet.length] + text;
  }
  lastInstant = instant;
  lastText = text;
  return text;
}

/** The id of the row that will follow another one: the same each time that it is asked for. */
export function comingId(prefix: string, last: string): string {
  const digest = createHash('sha256').update(last).digest();
  const text = Array.from(digest.subarray(0, idLength), (byte) => alphabet[byte % alphabet.length]);
  return `${prefix}_${text.join('')}`;
}

/** A random string of 0-9A-Za-z, for secrets. */
export const randomText = (length: number) => customAlphabet(alphabet, length)();
