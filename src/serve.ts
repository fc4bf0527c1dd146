import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { createDeliverer } from '#cron/deliverer.ts';
import { createMailer } from '#cron/mailer.ts';
import { startScheduler } from '#cron/scheduler.ts';
import type { AbsentOrganizations } from '#domain/kernel/absent-organizations.ts';
import { logged } from '#domain/kernel/database-failure.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { configuredUrls, embeddedUrls, placeOfDatabase } from '#server/database/database-roles.ts';
import type { CheckedPool } from '#server/database/pool.ts';
import { embeddedPurpose } from '#server/database/server-version.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { type EventHub, openEventHub } from '#server/feed/event-hub.ts';
import { followAbsence } from '#server/health/absence.ts';
import { type Readiness, watchReadiness } from '#server/health/readiness.ts';
import { openHistory } from '#server/history/open-history.ts';
import { dashboardIn } from '#server/http/dashboard-files.ts';
import { refuseUsedPort } from '#server/http/listen.ts';
import { reachStripe } from '#server/integrations/reach-stripe.ts';
import { reachTaxServices } from '#server/integrations/reach-tax-services.ts';
import { createLogger, type Logger } from '#server/observability/logger.ts';
import { readTrustedDocuments } from '#server/operations/read-trusted-documents.ts';
import { allocateYoung } from '#server/process/allocate-young.ts';
import { foundingNotice } from '#server/process/founding-notice.ts';
import { usableHistory } from '#server/process/optional-packages.ts';
import { startSteps } from '#server/process/start-steps.ts';
import { trimMemory } from '#server/process/trim-memory.ts';
import { openSecretsKeys } from '#server/secrets/open-secrets-keys.ts';
import { jobLog } from './job-log.ts';

/** `npm run cron` runs the scheduled jobs alone, next to processes that leave them out. */
const cronAlone = process.argv[2] === 'cron';
/** Requests in flight have had their time when the connections to the database are closed. */
const longestCloseMilliseconds = 500;

/** Runs until the process receives a stop signal; closes its resources in the opposite order. */
export async function serve(config: Config, stop: AbortSignal) {
  const logger = createLogger(config.logLevel, config.cell);
  // One request must not end the others: a rejection that nothing waits for is a defect to repair, not to stop for.
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'An error occurred that no request waited for');
  });
  useServiceUrl(config.publicUrl ?? `http://${config.host}:${config.port}`);
  if (!cronAlone) await refuseUsedPort(config);
  const historyDir = usableHistory(config, (line) => logger.warn(line));
  const history = openHistory({ ...config, historyDir });
  await using opened = new AsyncDisposableStack();
  using steps = startSteps((line) => logger.info(line));

  if (config.tracing) {
    // The libraries of tracing are loaded by those only who use them.
    const { startTracing } = await import('#server/observability/start-tracing.ts');
    opened.use(startTracing(config.tracing));
  }
  await openSecretsKeys(config);
  reachStripe(config);
  reachTaxServices({ allowPrivate: config.webhookAllowPrivate });
  const trustedDocuments = await readTrustedDocuments(config, (line) => logger.warn(line));
  steps.begin(config.databaseUrl ? 'it connects to the database' : 'PostgreSQL is not ready');
  const running = { config, logger, stop, opened };
  const { serviceUrl, directUrl } = await openDatabase(running, steps.begin);
  steps.begin('it loads the code of requests');
  // It uses the processor for seconds, so it comes before everything that has a time limit.
  const graph = cronAlone ? undefined : await loadGraph(logger);
  if (graph && !(await dashboardIn().page())) {
    logger.warn(
      'The dashboard is not built, so / lists addresses only: npm ci --include=dev installs its build tool, and npm run build builds it',
    );
  }
  steps.begin('it connects to the database and to what else is configured');
  const orm = await openOrm(serviceUrl, config.databasePoolSize, running);
  const absence = followAbsence(orm);
  const readiness = opened.use(await watch(orm, serviceUrl, config, logger, absence.set));
  const hub = opened.use(await openEventHub(orm, directUrl, logger));
  absence.onChange(hub.dismissOrganizations);
  const usageStream = await openStream(config, logger, opened);
  if (cronAlone || config.cron) {
    const jobsOrm = cronAlone ? orm : await openOrm(serviceUrl, config.cronPoolSize, running);
    if (jobsOrm !== orm) await hub.hear(jobsOrm);
    absence.alsoFor(jobsOrm);
    if (usageStream) opened.use(usageStream.move(jobsOrm.em));
    startJobs(running, jobsOrm, hub, history);
  }
  if (graph) {
    const parts = { orm, hub, readiness, usageStream, trustedDocuments };
    await serveRequests(running, graph, parts, steps);
  } else {
    steps[Symbol.dispose]();
    logger.info('Running the scheduled jobs');
    if (!stop.aborted) await once(stop, 'abort');
  }
  logger.info('Stopping: requests in flight are being finished');
}

/** The process: its settings, its log, its end, and what it closes then. */
interface Running {
  readonly config: Config;
  readonly logger: Logger;
  readonly stop: AbortSignal;
  readonly opened: AsyncDisposableStack;
}

/** Finds or starts the database, and brings its tables to this version. Prints the key of a new organization. */
async function openDatabase(
  { config, logger, stop, opened }: Running,
  onStep: (problem: string) => void,
) {
  const { serviceUrl, directUrl, ownerUrl } = config.databaseUrl
    ? configuredUrls(config.databaseUrl, config)
    : await embeddedUrls(
        (cronAlone ? await findRunningPostgres(config.dataDir) : undefined) ??
          opened.use(await startDatabase(config, logger)).databaseUrl,
      );
  stop.throwIfAborted();
  const pooled = config.databaseDirectUrl !== undefined;
  const credential = await prepareDatabase(ownerUrl, {
    serviceUrl,
    ...(pooled && { directUrl, statementTimeoutSeconds: config.operationTimeLimitSeconds }),
    credential: config.bootstrapSecretKey,
    now: new Date(),
    currency: config.bootstrapCurrency,
    withoutKey: config.production,
    onFounded: () =>
      logger.warn(
        'This database was empty. It has an organization now, and no key: tollgate keys create prints one',
      ),
    stop,
    waitSeconds: config.databaseWaitSeconds,
    report: (message) => logger.info(message),
    place: placeOfDatabase(config, ownerUrl),
    onStep,
  });
  // At once, because nothing that fails from here on may take the only sight of the key with it.
  if (credential && credential !== config.bootstrapSecretKey) {
    process.stdout.write(foundingNotice(credential));
  }
  return { serviceUrl, directUrl };
}

/**
 * Opens a pool of connections. The scheduled jobs have their own one, so that requests never keep them waiting, nor they
 * requests.
 */
async function openOrm(databaseUrl: string, poolSize: number, { config, opened }: Running) {
  const orm = await connect({
    databaseUrl,
    poolSize,
    statementTimeoutSeconds: config.operationTimeLimitSeconds,
    pooled: config.databaseDirectUrl !== undefined,
  });
  opened.defer(() => Promise.race([orm.close(), sleep(longestCloseMilliseconds)]));
  return orm;
}

/** Starts the scheduled jobs, and the senders of webhooks and mails. */
function startJobs(
  { config, logger, stop, opened }: Running,
  orm: MikroORM,
  hub: EventHub,
  history: ReturnType<typeof openHistory>,
) {
  const deliverer = opened.use(deliver(orm, hub, config, logger));
  const mailer = opened.use(mails(orm, config, logger));
  // Deliveries in progress have their 10 seconds at the same time as requests, not after them.
  stop.addEventListener('abort', () => void deliverer[Symbol.asyncDispose]());
  stop.addEventListener('abort', () => void mailer[Symbol.asyncDispose]());
  const parts = { ...config, history, deliverer, mailer };
  opened.use(startScheduler(orm, parts, jobLog(logger), { ask: hub.ask }));
}

type Graph = Awaited<ReturnType<typeof loadGraph>>;
type GatewayParts = Parameters<Graph['createGateway']>[0];

/** Serves requests until the stop signal, and then for the time of draining. */
async function serveRequests(
  { config, logger, stop, opened }: Running,
  { createGateway, startServer }: Graph,
  parts: Pick<GatewayParts, 'orm' | 'hub' | 'usageStream'> & {
    readonly readiness: Readiness;
    readonly trustedDocuments: Awaited<ReturnType<typeof readTrustedDocuments>>;
  },
  starting: Disposable,
) {
  const { orm, hub, readiness, trustedDocuments } = parts;
  const replicas = await follow(orm, config, logger);
  if (replicas) opened.use(replicas);
  const gateway = createGateway({ ...parts, replicas, logger, ...config });
  const { limits, corsOrigins } = config;
  const ofServer = { logger, limits, corsOrigins, trustedDocuments };
  const server = opened.use(await startServer(gateway, config, hub, ofServer));
  starting[Symbol.dispose]();
  useServiceUrl(config.publicUrl ?? server.url);
  opened.use(trimMemory());
  if (!config.production && !isLoopback(config.host)) {
    logger.warn(
      `HOST ${config.host} can be reached from other machines with NODE_ENV=development: GraphiQL is open, and keys are sent unencrypted. Set NODE_ENV=production, and put a proxy with TLS in front`,
    );
  }
  logger.info(
    `Listening on ${server.url}: GraphQL at /graphql, REST at /api/v1, its description at /docs`,
  );
  if (!stop.aborted) await once(stop, 'abort');
  readiness.leave();
  server.drain();
  if (config.drainSeconds > 0) {
    logger.info(`Draining: requests are still taken for ${config.drainSeconds} s`);
    await sleep(config.drainSeconds * 1_000);
  }
}

/** Loads the code of requests, which the scheduled jobs alone do without. */
async function loadGraph(logger: Logger) {
  logger.info('Loading the code of requests');
  // Before the code of requests is compiled, which decides where it allocates.
  allocateYoung();
  const { createGateway } = await import('#server/yoga.ts');
  const { startServer } = await import('#server/server.ts');
  return { createGateway, startServer };
}

/** Follows whether the database can be used; ends the process where only that can help. */
async function watch(
  orm: MikroORM,
  databaseUrl: string,
  config: Config,
  logger: Logger,
  onAbsent: (organizations: AbsentOrganizations) => void,
) {
  const pool = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
  const stuckSeconds = config.databaseStuckSeconds;
  return watchReadiness({
    databaseUrl,
    pool,
    logger,
    stuckSeconds,
    onAbsent,
    onStuck() {
      logger.fatal(
        `The database answers, but for ${stuckSeconds} s no request has got a connection to it; this process ends, so that it is started again`,
      );
      process.exit(1);
    },
  });
}

/** Follows the standbys that serve reads; undefined without any. */
async function follow(orm: MikroORM, config: Config, logger: Logger) {
  const { databaseReplicaUrls: urls, databaseReplicaLagSeconds: longestLagSeconds } = config;
  if (urls.length === 0) return undefined;
  const { openReplicas } = await import('#server/replicas/replicas.ts');
  return openReplicas(orm, {
    urls,
    longestLagSeconds,
    poolSize: config.databasePoolSize,
    statementTimeoutSeconds: config.operationTimeLimitSeconds,
    logger,
  });
}

/** Connects to the stream that accepts usage; undefined without one. */
async function openStream({ nats }: Config, logger: Logger, opened: AsyncDisposableStack) {
  if (!nats) return undefined;
  const { openUsageStream } = await import('#server/usage-stream/open-usage-stream.ts');
  return opened.use(await openUsageStream(nats, logger));
}

/** Sends webhooks as soon as they are written. */
function deliver(orm: MikroORM, hub: EventHub, { webhookAllowPrivate }: Config, logger: Logger) {
  const deliverer = createDeliverer(orm, {
    allowPrivate: webhookAllowPrivate,
    onFailure: (error) =>
      logger.error(logged(error), 'Delivering webhooks has failed; it is tried again'),
  });
  hub.onDelivery(deliverer.wake);
  // Leftover work of another process is not waited for.
  deliverer.wake();
  return deliverer;
}

/** Sends mails to customers, or catches them in test mode. */
const mails = (orm: MikroORM, { smtpUrl, mailFrom }: Config, logger: Logger) =>
  createMailer(orm, {
    smtpUrl,
    mailFrom,
    onFailure: (error) => logger.error(logged(error), 'Work on a mail has failed; it is repeated'),
  });

function isLoopback(host: string) {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);
}

async function startDatabase(config: Config, logger: Logger) {
  const { dataDir, cell, postgresBin, production } = config;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    cell,
    postgresBin,
    log: (line) => logger.debug({ postgres: line.trim() }),
    report: (line) => logger.info(line),
    // Without it no request can be answered; the supervisor of this process can start it again.
    onLost() {
      logger.fatal('The embedded PostgreSQL has ended by itself; this process ends, too');
      process.exit(1);
    },
  });
  if (production && postgres.build === 'embedded') {
    logger.warn(
      `${embeddedPurpose}. Install a PostgreSQL on this machine, set POSTGRES_BIN, or set DATABASE_URL to a server (guide "Operating")`,
    );
  }
  return postgres;
}
