import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Config } from '#config';
import { configuredUrls } from '#server/database/database-roles.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { openSecretsKeys } from '#server/secrets/open-secrets-keys.ts';
import type { Terminal } from '../terminal.ts';
import type { BackupRequest } from './arguments.ts';
import { restoreInto } from './restore-into.ts';
import { writeBackup } from './write-backup.ts';

type Print = Terminal['print'];

/** Writes a backup, and verifies it if that is wanted. Errors: ConfigError. */
export async function runBackup({ file, verify }: BackupRequest, config: Config, print: Print) {
  await openSecretsKeys(config);
  await writeFrom(config, file, print);
  if (verify) await verifyBackup(file, config, print);
}

async function writeFrom(config: Config, file: string, print: Print) {
  await using opened = new AsyncDisposableStack();
  const databaseUrl = config.databaseUrl
    ? configuredUrls(config.databaseUrl, config).ownerUrl
    : ((await findRunningPostgres(config.dataDir)) ??
      opened.use(await startEmbeddedPostgres(config)).databaseUrl);
  const { tables, rows } = await writeBackup(databaseUrl, file, new Date());
  const { size } = await stat(file);
  print(`${file}: ${rows} rows of ${tables} tables in ${Math.ceil(size / 1024)} KiB\n`);
}

/** Restores into a database that is thrown away. */
async function verifyBackup(file: string, { postgresBin }: Config, print: Print) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-verify-'));
  try {
    await using opened = new AsyncDisposableStack();
    const { databaseUrl } = opened.use(
      await startEmbeddedPostgres({ dataDir, durable: false, postgresBin }),
    );
    print(`Verified: ${await restoreInto({ embeddedUrl: databaseUrl }, file)}\n`);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 9 });
  }
}
