import { once } from 'node:events';
import { type Config, ConfigError, readConfig } from '#config';
import { listenForChanges } from '#server/changes.ts';
import { connect, prepareDatabase } from '#server/database.ts';
import { DataDirError, startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { createLogger, type Logger } from '#server/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';

/** Runs until it is told to stop; what it has opened is closed in the opposite order. */
async function serve(config: Config, logger: Logger) {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using opened = new AsyncDisposableStack();

  const databaseUrl = config.databaseUrl ?? opened.use(await startDatabase(config, logger)).databaseUrl;
  const credential = await prepareDatabase(databaseUrl, {
    credential: config.bootstrapSecretKey,
    now: new Date(),
  });
  const orm = await connect({
    databaseUrl,
    poolSize: config.databasePoolSize,
    statementTimeoutSeconds: config.operationTimeLimitSeconds,
  });
  opened.defer(() => orm.close());
  const changes = opened.use(await listenForChanges(databaseUrl, logger));
  const gateway = createGateway({ orm, changes, logger, ...config });
  const { url } = opened.use(await startServer(gateway, config));

  logger.info(`Listening on ${url}: GraphQL at /graphql, REST at /api/v1, its description at /docs`);
  if (credential && credential !== config.bootstrapSecretKey) announce(credential);
  await stopped;
  logger.info('Stopping: requests in flight are being finished');
}

const startDatabase = ({ dataDir }: Config, logger: Logger) =>
  startEmbeddedPostgres({ dataDir, log: (line) => logger.debug({ postgres: line.trim() }) });

/** Not through the log, which is kept: whoever starts the first process sees this once. */
function announce(credential: string) {
  process.stdout.write(
    `\nThis database was empty. It has an organization now, whose secret test key is\n\n  ${credential}\n\nIt is stored as a hash only, so this is the one time it is shown.\n\n`,
  );
}

try {
  const config = readConfig();
  await serve(config, createLogger(config.logLevel));
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof DataDirError;
  process.stderr.write(`${expected ? error.message : explain(error)}\n`);
  process.exitCode = 1;
}

/** What a start can run into beyond the settings, as one line where the cause is known. */
function explain(error: unknown) {
  const { code, port, address, stack, message } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE') return `PORT ${port} of ${address} is in use: stop what uses it, or set another PORT`;
  if (code === 'ECONNREFUSED') return `DATABASE_URL cannot be reached: ${message}`;
  return stack ?? String(error);
}
