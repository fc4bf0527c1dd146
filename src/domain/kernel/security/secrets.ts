import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A key that encrypts stored secrets; the id identifies it without revealing anything of it. */
export interface SecretsKey {
  readonly id: string;
  /** Prepared once: each use of plain bytes would prepare it again. */
  readonly key: KeyObject;
}

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const mark = 'sealed';

/** The keys of the process, as configured: the first key encrypts, all of them decrypt. */
let keyring: readonly SecretsKey[] = [];

/** Sets the keys of this process, once, before anything is read or written. */
export function useSecretsKeys(keys: readonly SecretsKey[]) {
  keyring = keys;
}

export const secretsKeys = (): readonly SecretsKey[] => keyring;

/** A key from its text: 32 bytes in base64, base64url or hexadecimal; undefined for anything else. */
export function secretsKeyFrom(text: string): SecretsKey | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(text, 'base64url');
  const isText = /^[0-9a-f]{64}$/i.test(text) || /^[\w+/-]{43}=?$/.test(text);
  if (!isText || key.length !== keyBytes) return undefined;
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 8),
    key: createSecretKey(key),
  };
}

/** A new random key, as the text that `secretsKeyFrom` reads. */
export const newSecretsKey = () => randomBytes(keyBytes).toString('base64');

/**
 * Encrypts a text with AES-256-GCM. `context` names the row, such as `webhook webhook_1`. Only the same context opens
 * the text, so it is useless in another row.
 */
export function seal(text: string, context: string): string {
  const [current] = keyring;
  if (!current) throw new Error('SECRETS_KEY is not set up in this process');
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
  const whole = Buffer.concat([sealed, cipher.getAuthTag()]);
  return `${mark}:${current.id}:${whole.toString('base64url')}`;
}

/**
 * Decrypts the result of `seal`. Returns a text from before encryption as it is. Errors: an unknown key, another
 * context, a changed text.
 */
export function open(stored: string, context: string): string {
  const id = sealedWith(stored);
  if (id === undefined) return stored;
  const found = keyring.find((key) => key.id === id);
  if (!found) throw new Error(`SECRETS_KEY lacks the key ${id}`);
  const whole = Buffer.from(stored.slice(mark.length + id.length + 2), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', found.key, whole.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(whole.subarray(-tagBytes));
  const text = decipher.update(whole.subarray(ivBytes, -tagBytes));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

const sealedWith = (stored: string) => /^sealed:([0-9a-f]{8}):[\w-]+$/.exec(stored)?.[1];
