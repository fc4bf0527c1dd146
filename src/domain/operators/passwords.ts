import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import { randomText } from '#domain/kernel/ids.ts';
import { keptText } from '#domain/kernel/inputs.ts';

/** The parameters of OWASP for Argon2id, which is the default of the library. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The shortest and the longest password. */
export const passwordLength = { least: 12, most: 256 } as const;

/** A new password: long, and of more than a few different characters. */
export const newPasswordInput = keptText(passwordLength.most)
  .min(passwordLength.least)
  .refine((text) => new Set(text).size >= 5, 'must have at least 5 different characters');

/** A password to compare, which may be of any length. */
export const givenPasswordInput = z.string().min(1).max(1_000);

/** The stored form of a password. */
export const hashPassword = (password: string) => hash(password.normalize('NFKC'), cost);

let hashOfNone: Promise<string> | undefined;

/** Whether a password is the one of a hash. Without a hash it takes the same time. */
export async function isPassword(stored: string | null | undefined, password: string) {
  hashOfNone ??= hashPassword(randomText(40));
  const matches = await verify(stored ?? (await hashOfNone), password.normalize('NFKC'));
  return stored != null && matches;
}
