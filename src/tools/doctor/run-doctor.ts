import type { Config } from '#config';
import { connect } from '#server/database/database.ts';
import { configuredUrls, embeddedUrls } from '#server/database/database-roles.ts';
import { openStartConnection } from '#server/database/start-connection.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { openSecretsKeys } from '#server/secrets/open-secrets-keys.ts';
import { checkData } from './check-data.ts';
import { checkDatabase } from './check-database.ts';
import { checkHistoryFolder } from './check-history-folder.ts';
import { checkMachine } from './check-machine.ts';
import { checkSettings } from './check-settings.ts';
import { checkUsageStream } from './check-usage-stream.ts';
import { error, type Finding } from './finding.ts';

/**
 * Checks the settings, the machine, the database and the rows, and changes nothing. Each finding is reported at once. A
 * database that cannot be used ends the checks.
 */
export async function runDoctor(config: Config, report: (finding: Finding) => void) {
  checkSettings(config).forEach(report);
  (await checkMachine(config.databaseUrl ? undefined : config.dataDir)).forEach(report);
  await using opened = new AsyncDisposableStack();
  try {
    await openSecretsKeys(config);
    const directUrl = await addressOf(config, opened);
    const client = await openStartConnection(directUrl, {});
    opened.defer(() => client.end());
    const findings = await checkDatabase(client, config);
    findings.forEach(report);
    // Rows of another schema cannot be read.
    if (!findings.some(({ found }) => /^All \d+ migrations/.test(found))) return;
    const orm = await connect({ databaseUrl: directUrl, poolSize: 2, statementTimeoutSeconds: 30 });
    opened.defer(() => orm.close());
    (await checkData(orm.em.fork())).forEach(report);
    (await checkUsageStream(config.nats, orm.em.fork())).forEach(report);
    (await checkHistoryFolder(orm.em.fork(), config)).forEach(report);
  } catch (problem) {
    report(
      error((problem as Error).message, 'repair this first; the other checks need the database'),
    );
  }
}

async function addressOf(config: Config, opened: AsyncDisposableStack): Promise<string> {
  if (config.databaseUrl) return configuredUrls(config.databaseUrl, config).directUrl;
  const running = await findRunningPostgres(config.dataDir);
  const administratorUrl = running ?? opened.use(await startEmbeddedPostgres(config)).databaseUrl;
  return (await embeddedUrls(administratorUrl)).serviceUrl;
}
