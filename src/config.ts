import { z } from 'zod';
import { type SecretsKey, secretsKeyFrom } from '#domain/secrets.ts';

const wholeNumber = (min: number, max: number, of: string) => {
  const message = `must be ${of}, ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message));
};

const oneOf = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const Environment = z.object({
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 'a port number').default(4000),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 'a number of connections').default(20),
  DATA_DIR: z.string().default('./.data'),
  EMBEDDED_POSTGRES: oneOf('true', 'false').optional(),
  BOOTSTRAP_SECRET_KEY: z
    .string()
    .regex(
      /^sk_test_[0-9A-Za-z_]{24,192}$/,
      'must be sk_test_ and 24 to 192 random characters of 0-9A-Za-z_',
    )
    .optional(),
  SECRETS_KEY: z
    .string()
    .transform((text) => text.split(',').map((key) => secretsKeyFrom(key.trim())))
    .refine(
      (keys) => keys.every((key) => key !== undefined),
      'must be 32 bytes in base64 or hexadecimal, or several such keys with commas between them',
    )
    .transform((keys) => keys.filter((key) => key !== undefined))
    .optional(),
  CRON: oneOf('on', 'off').default('on'),
  EVENT_RETENTION_DAYS: wholeNumber(1, 3_650, 'a number of days').default(30),
  USAGE_EVENT_MONTHS: wholeNumber(0, 1_200, 'a number of months').default(0),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  WEBHOOK_ALLOW_PRIVATE: oneOf('true', 'false').default('false'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  OPERATION_TIME_LIMIT_SECONDS: wholeNumber(1, 600, 'a number of seconds').default(30),
});

/** What the process is told from outside; the README's table says what each setting means. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** The PostgreSQL server to use; without it the embedded one is started in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database as the role that owns the tables; `databaseUrl` when absent. */
  readonly databaseOwnerUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  readonly bootstrapSecretKey: string | undefined;
  /** The keys of stored secrets: the first encrypts, all decrypt. Without any, DATA_DIR keeps one. */
  readonly secretsKeys: readonly SecretsKey[];
  /** Whether this process runs scheduled jobs, too. */
  readonly cron: boolean;
  readonly eventDays: number;
  /** How many past months of usage events stay in their table; 0 for all. */
  readonly usageEventMonths: number;
  /** What links to this service begin with; what a request was sent to when absent. */
  readonly publicUrl: string | undefined;
  /** Whether webhooks may go to addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  readonly logLevel: string;
  readonly operationTimeLimitSeconds: number;
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
  if (production && !data.DATABASE_URL && data.EMBEDDED_POSTGRES !== 'true') {
    throw new ConfigError(
      'DATABASE_URL must be set with NODE_ENV=production, or EMBEDDED_POSTGRES=true to keep the data in DATA_DIR',
    );
  }
  if (data.DATABASE_OWNER_URL && !data.DATABASE_URL) {
    throw new ConfigError('DATABASE_OWNER_URL needs DATABASE_URL, with the role of the service');
  }
  if (production && data.DATABASE_URL && !data.SECRETS_KEY) {
    throw new ConfigError(
      'SECRETS_KEY must be set with NODE_ENV=production and DATABASE_URL: npm run -s secrets -- new prints a new key',
    );
  }
  if (production && !data.PUBLIC_URL) {
    throw new ConfigError(
      'PUBLIC_URL must be set with NODE_ENV=production: links to PDFs begin with it, such as https://billing.example.com',
    );
  }
  return Object.freeze({
    production,
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    dataDir: data.DATA_DIR,
    bootstrapSecretKey: data.BOOTSTRAP_SECRET_KEY,
    secretsKeys: data.SECRETS_KEY ?? [],
    cron: data.CRON === 'on',
    eventDays: data.EVENT_RETENTION_DAYS,
    usageEventMonths: data.USAGE_EVENT_MONTHS,
    publicUrl: data.PUBLIC_URL?.replace(/\/$/, ''),
    webhookAllowPrivate: data.WEBHOOK_ALLOW_PRIVATE === 'true',
    logLevel: data.LOG_LEVEL,
    operationTimeLimitSeconds: data.OPERATION_TIME_LIMIT_SECONDS,
  });
}

const problem = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')} ${message}`;
