import path from 'node:path';
import type { z } from 'zod';
import '#domain/kernel/inputs/plain-words.ts';
import type { SecretsKey } from '#domain/kernel/security/secrets.ts';
import type { CredentialType } from '#domain/kernel/session.ts';
import { Environment } from './environment.ts';
import { type Limits, limitsOf } from './limits.ts';
import { conflictOf } from './setting-conflicts.ts';

/** Load balancers ask every few seconds whether a process is ready; who stops it by hand does not want to wait. */
const productionDrainSeconds = 5;

/** The origins whose pages may call: all, those of this machine (`loopback`), or the listed ones. */
export type CorsOrigins = '*' | 'loopback' | readonly string[];

/**
 * The settings of the process from its environment; `rest/guides/settings.md` describes each
 * setting.
 */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** The PostgreSQL server to use; without it the embedded one is started in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database as the role that owns the tables; `databaseUrl` when absent. */
  readonly databaseOwnerUrl: string | undefined;
  /** The server itself, where `databaseUrl` leads through a pooler of connections. */
  readonly databaseDirectUrl: string | undefined;
  /** The standbys that serve lists, statistics and history. */
  readonly databaseReplicaUrls: readonly string[];
  /** A replica with older data is passed over. */
  readonly databaseReplicaLagSeconds: number;
  readonly databasePoolSize: number;
  /** How long a start waits for a database that is coming up. */
  readonly databaseWaitSeconds: number;
  /** After how long without a usable connection to a database that answers the process ends itself. */
  readonly databaseStuckSeconds: number;
  /** How many connections the scheduled jobs have for themselves. */
  readonly cronPoolSize: number;
  /** The name of this installation among several that share organizations; none when absent. */
  readonly cell: string | undefined;
  readonly dataDir: string;
  /** The programs of the PostgreSQL in `dataDir`: their folder, `embedded` for the package, or `newest`. */
  readonly postgresBin: string;
  readonly bootstrapSecretKey: string | undefined;
  /** The default currency of an organization that is founded in an empty database. */
  readonly bootstrapCurrency: string;
  /** The keys of stored secrets: the first encrypts, all decrypt. Without any, DATA_DIR keeps one. */
  readonly secretsKeys: readonly SecretsKey[];
  /** Whether this process runs scheduled jobs, too. */
  readonly cron: boolean;
  /** The JetStream that accepts usage; without it the database does. */
  readonly nats: NatsSettings | undefined;
  readonly eventDays: number;
  /** How long the audit log keeps events, if that is longer. */
  readonly auditDays: number;
  /** Whether causes have the addresses of clients. */
  readonly auditAddresses: boolean;
  /** How many past months of usage events stay in their table; 0 for all. */
  readonly usageEventMonths: number;
  /** The folder of the files of older months; without it they become separate tables. */
  readonly historyDir: string | undefined;
  /** The mail server, with its password; without it no mail is sent. */
  readonly smtpUrl: string | undefined;
  /** The sender of mails where an organization has no address of its own; set with `smtpUrl`. */
  readonly mailFrom: string | undefined;
  /** How long mails are kept. */
  readonly mailDays: number;
  /** How long checkout sessions without success are kept. */
  readonly checkoutDays: number;
  /** How long events of processors are kept after they were processed. */
  readonly processorEventDays: number;
  /** How long ended sessions and invitations of operators are kept. */
  readonly sessionDays: number;
  /** How long runs of scheduled jobs are kept. */
  readonly cronRunDays: number;
  /** The start of links to this service; the address of the request when absent. */
  readonly publicUrl: string | undefined;
  /** The address of Stripe's interface; Stripe's own when absent. */
  readonly stripeApiBase: string | undefined;
  /** The identity provider with which operators sign in; none when absent. */
  readonly oidc: OidcSettings | undefined;
  /** The origins whose pages may call the service from a browser. */
  readonly corsOrigins: CorsOrigins;
  /** The file or folder of trusted documents. */
  readonly trustedDocumentsPath: string | undefined;
  /** The credentials that may execute trusted documents only. */
  readonly trustedDocumentsOnly: readonly CredentialType[];
  /** Whether webhooks may go to addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** The token for `/metrics`; without it that page does not exist. */
  readonly metricsToken: string | undefined;
  /** Where traces are sent; nowhere when absent. */
  readonly tracing: TracingSettings | undefined;
  readonly logLevel: string;
  readonly operationTimeLimitSeconds: number;
  /** From when on a request is logged as slow. */
  readonly slowRequestMilliseconds: number;
  /**
   * The time for which a stopping process still takes requests, while `/ready` sends new ones
   * elsewhere.
   */
  readonly drainSeconds: number;
  readonly limits: Limits;
}

/** Where spans of OpenTelemetry are sent. */
export interface TracingSettings {
  /** The address of a collector that understands OTLP over HTTP. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** The share of requests that are traced, 0 to 1; a caller that states its trace decides itself. */
  readonly ratio: number;
}

/** How accepted usage reaches JetStream. */
export interface NatsSettings {
  /** The servers, such as `nats://user:password@nats-1:4222`. */
  readonly urls: readonly string[];
  /** The file with the credentials of a user, as `nsc` writes it. */
  readonly credentialsFile: string | undefined;
  /** The cell whose usage the streams accept; part of their names. */
  readonly cell: string;
  /** The number of servers that keep each message before it is acknowledged. */
  readonly replicas: number;
  /** The monitoring addresses of the servers, which state whether each message is written to the disk. */
  readonly monitoringUrls: readonly string[];
}

/** A provider of OpenID Connect, and this service as its client. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The text of the button. */
  readonly label: string;
}

/** A setting that cannot be used. The message names the variable and what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings; nothing else in the project reads the environment. Errors: ConfigError. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable is what compose files and shells leave behind for one that is not set.
  const set = Object.entries(variables).filter(([, value]) => value !== '');
  const { data, error } = Environment.safeParse(Object.fromEntries(set));
  if (error) throw new ConfigError([...new Set(error.issues.map(problem))].join('; '));

  const production = data.NODE_ENV === 'production';
  const conflict = conflictOf(data);
  if (conflict) throw new ConfigError(conflict);
  return Object.freeze({
    production,
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databaseReplicaUrls: data.DATABASE_REPLICA_URLS ?? [],
    databaseReplicaLagSeconds: data.DATABASE_REPLICA_LAG_SECONDS,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    databaseWaitSeconds: data.DATABASE_WAIT_SECONDS,
    databaseStuckSeconds: data.DATABASE_STUCK_SECONDS,
    cronPoolSize: data.CRON_POOL_SIZE,
    cell: data.TOLLGATE_CELL,
    dataDir: data.DATA_DIR,
    postgresBin: data.POSTGRES_BIN,
    bootstrapSecretKey: data.BOOTSTRAP_SECRET_KEY,
    bootstrapCurrency: data.BOOTSTRAP_CURRENCY,
    secretsKeys: data.SECRETS_KEY ?? [],
    cron: data.CRON === 'on',
    nats: data.NATS_URLS && {
      urls: data.NATS_URLS,
      credentialsFile: data.NATS_CREDENTIALS_FILE,
      cell: data.TOLLGATE_CELL ?? 'main',
      replicas: data.NATS_REPLICAS,
      monitoringUrls: data.NATS_MONITORING_URLS ?? [],
    },
    eventDays: data.EVENT_RETENTION_DAYS,
    auditDays: data.AUDIT_RETENTION_DAYS,
    auditAddresses: data.AUDIT_ADDRESSES === 'true',
    usageEventMonths: data.USAGE_EVENT_MONTHS,
    historyDir: historyDirOf(data),
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    mailDays: data.MAIL_DAYS,
    checkoutDays: data.CHECKOUT_SESSION_DAYS,
    processorEventDays: data.PROCESSOR_EVENT_DAYS,
    sessionDays: data.OPERATOR_SESSION_DAYS,
    cronRunDays: data.CRON_RUN_DAYS,
    publicUrl: data.PUBLIC_URL?.replace(/\/$/, ''),
    stripeApiBase: data.STRIPE_API_BASE?.replace(/\/$/, ''),
    oidc: oidcOf(data),
    corsOrigins: originsOf(data.CORS_ORIGINS ?? (production ? '*' : 'loopback')),
    trustedDocumentsPath: data.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: credentialsOf(data.TRUSTED_DOCUMENTS_ONLY),
    webhookAllowPrivate: data.WEBHOOK_ALLOW_PRIVATE === 'true',
    metricsToken: data.METRICS_TOKEN,
    tracing: data.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: data.OTEL_SERVICE_NAME,
          ratio: data.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    logLevel: data.LOG_LEVEL,
    operationTimeLimitSeconds: data.OPERATION_TIME_LIMIT_SECONDS,
    slowRequestMilliseconds: data.SLOW_REQUEST_MILLISECONDS,
    drainSeconds: data.DRAIN_SECONDS ?? (production ? productionDrainSeconds : 0),
    limits: limitsOf(data, data.DATABASE_POOL_SIZE),
  });
}

function oidcOf(data: z.output<typeof Environment>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = data;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { issuer, clientId, clientSecret, label: data.OIDC_LABEL };
}

/** The folder of the history. Processes of an outer database share one only where it is set. */
function historyDirOf(data: z.output<typeof Environment>): string | undefined {
  if (data.HISTORY_DIR) return path.resolve(data.HISTORY_DIR);
  return data.DATABASE_URL ? undefined : path.resolve(data.DATA_DIR, 'history');
}

/** The limits where nothing is set. */
export const usualLimits = (): Limits => readConfig({}).limits;
const originsOf = (text: string): CorsOrigins => {
  if (text === '*' || text === 'loopback') return text;
  return text === 'none' ? [] : text.split(',').map((origin) => origin.trim());
};

/** The credentials that a setting names. */
const credentialsOf = (text: string): CredentialType[] =>
  (text === 'all' ? 'secret,publishable,token' : text)
    .split(',')
    .map((name) => name.trim())
    .flatMap((name) => credentials[name] ?? []);

const credentials: Readonly<Record<string, CredentialType>> = {
  secret: 'secret',
  publishable: 'publishable',
  token: 'customer_token',
};

const problem = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')} ${message}`;
