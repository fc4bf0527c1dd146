import type { Config } from '#config';
import { useSecretsKeys } from '#domain/kernel/security/secrets.ts';
import { secretsKeyOfFolder } from './secrets-file.ts';

/** Sets the keys of this process: those of SECRETS_KEY, else the one that DATA_DIR keeps. Errors: ConfigError. */
export async function openSecretsKeys({ secretsKeys, dataDir }: Config): Promise<void> {
  useSecretsKeys(secretsKeys.length > 0 ? secretsKeys : [await secretsKeyOfFolder(dataDir)]);
}
