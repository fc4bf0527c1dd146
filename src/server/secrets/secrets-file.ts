import fs from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '#config';
import { newSecretsKey, type SecretsKey, secretsKeyFrom } from '#domain/kernel/security/secrets.ts';

/**
 * The key for stored secrets where SECRETS_KEY is not set: the file `secrets-key` of DATA_DIR. The
 * first start creates it, readable for its owner alone. Errors: ConfigError for a file without a
 * key, or one that cannot be created.
 */
export async function secretsKeyOfFolder(dataDir: string): Promise<SecretsKey> {
  const file = path.join(path.resolve(dataDir), 'secrets-key');
  const text = (await read(file)) ?? (await create(file));
  const key = secretsKeyFrom(text.trim());
  if (!key)
    throw new ConfigError(`${file} does not contain a key of 32 bytes in base64: restore it`);
  return key;
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`The key for stored secrets cannot be read: ${message}`);
  }
}

/** Creates the file; of several processes the first one wins. The file is complete as soon as it has its name. */
async function create(file: string): Promise<string> {
  const draft = `${file}.${process.pid}`;
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    await fs.mkdir(path.dirname(file), { recursive: true, mode });
    await fs.writeFile(draft, `${newSecretsKey()}\n`, { mode: 0o600, flush: true });
    await fs.link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `The key for stored secrets cannot be stored in DATA_DIR (${(error as Error).message}): set SECRETS_KEY`,
    );
  } finally {
    await fs.rm(draft, { force: true });
  }
}
