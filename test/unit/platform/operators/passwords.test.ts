import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '#domain/platform/commands/operators/passwords.ts';

const password = 'héllo wörld 12';
/** Made by the reference implementation of Argon2. */
const known =
  '$argon2id$v=19$m=19456,t=2,p=1$NUxm03UYkuFizJRLiHPmfg$b+5jSTLZ1XEQNEDRdegm/pZiT5nYKxVIE9ifWixwe8g';

test('a password is that of its hash, and of none else', async () => {
  expect(await isPassword(known, password)).toBe(true);
  expect(await isPassword(known, password.normalize('NFD'))).toBe(true);
  expect(await isPassword(known, `${password} `)).toBe(false);
  expect(await isPassword(undefined, password)).toBe(false);
});

test('hashes have their parameters and a salt of their own', async () => {
  const [one, other] = [await hashPassword(password), await hashPassword(password)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await isPassword(one, password)).toBe(true);
});

test('a text that is no such hash is an error, and no refusal', async () => {
  await expect(isPassword('$2b$12$abc', password)).rejects.toThrow('not that of Argon2id');
});
