import type { Config } from '#config';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { openSecretsKeys } from '#server/secrets/open-secrets-keys.ts';
import type { Terminal } from '../terminal.ts';
import { restoreInto } from './restore-into.ts';

/** Restores a backup into the database of the settings. Errors: ConfigError; DataDirError while the service runs. */
export async function runRestore(file: string, config: Config, print: Terminal['print']) {
  await openSecretsKeys(config);
  await using opened = new AsyncDisposableStack();
  const target = config.databaseUrl
    ? { databaseUrl: config.databaseUrl, config }
    : { embeddedUrl: opened.use(await startEmbeddedPostgres(config)).databaseUrl };
  print(`Restored: ${await restoreInto(target, file)}\n`);
}
