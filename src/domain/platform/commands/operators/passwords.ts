import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { randomText } from '#domain/kernel/ids.ts';
import { keptText } from '#domain/kernel/inputs/inputs.ts';

/** The parameters of OWASP for Argon2id: KiB of memory, passes and threads. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** The usual text of an Argon2id hash: its version, its parameters, the salt and the hash in base64. */
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** The shortest and the longest password. */
export const passwordLength = { least: 12, most: 256 } as const;

/** A new password: long, and of more than a few different characters. */
export const newPasswordInput = keptText(passwordLength.most)
  .min(passwordLength.least)
  .refine((text) => new Set(text).size >= 5, 'must have at least 5 different characters');

/** A password to compare, which may be of any length. */
export const givenPasswordInput = z.string().min(1).max(1_000);

/** The stored form of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await digest(password, salt, cost, hashBytes);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

let hashOfNone: Promise<string> | undefined;

/** Whether a password is the one of a hash. Without a hash it takes the same time. */
export async function isPassword(stored: string | null | undefined, password: string) {
  hashOfNone ??= hashPassword(randomText(40));
  const matches = await isHashOf(stored ?? (await hashOfNone), password);
  return stored != null && matches;
}

async function isHashOf(text: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', known = ''] = form.exec(text) ?? [];
  if (!known) throw new Error('The stored form of a password is not that of Argon2id');
  const hash = Buffer.from(known, 'base64');
  const its = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const found = await digest(password, Buffer.from(salt, 'base64'), its, hash.length);
  return timingSafeEqual(found, hash);
}

const argon2Of = promisify(argon2);

const digest = (
  password: string,
  nonce: Buffer,
  parameters: Readonly<Record<keyof typeof cost, number>>,
  tagLength: number,
): Promise<Buffer> =>
  argon2Of('argon2id', { message: password.normalize('NFKC'), nonce, ...parameters, tagLength });

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
