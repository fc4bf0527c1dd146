import { customAlphabet } from 'nanoid';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** How many random characters an id has. */
export const idLength = 21;

const random = customAlphabet(alphabet, idLength);

/** A new id: `<prefix>_` and 21 random characters of 0-9A-Za-z. */
export const newId = (prefix: string) => `${prefix}_${random()}`;

/** A random string of 0-9A-Za-z, for secrets. */
export const randomText = (length: number) => customAlphabet(alphabet, length)();
