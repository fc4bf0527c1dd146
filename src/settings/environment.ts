import { z } from 'zod';
import { secretsKeyFrom } from '#domain/kernel/security/secrets.ts';
import { isCurrency, unknownCurrency } from '#domain/kernel/values/currencies.ts';
import { limitSettings } from './limits.ts';
import { wholeNumber } from './settings.ts';

const oneOf = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** Tokens of the provider must not cross a network unencrypted. */
const isSafeIssuer = (url: string) =>
  /^https:/.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(url);

/** The environment variables of the process, with the defaults of those that are not set. */
export const Environment = z.object({
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 'a port number').default(4000),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .refine(
      (urls) => urls.every((url) => URL.canParse(url) && /^postgres(ql)?:/.test(url)),
      'must be postgresql:// addresses, with commas between them',
    )
    .optional(),
  DATABASE_REPLICA_LAG_SECONDS: wholeNumber(1, 3_600, 'a number of seconds').default(5),
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 'a number of connections').default(20),
  DATABASE_WAIT_SECONDS: wholeNumber(0, 3_600, 'a number of seconds').default(60),
  DATABASE_STUCK_SECONDS: wholeNumber(10, 3_600, 'a number of seconds').default(60),
  CRON_POOL_SIZE: wholeNumber(1, 50, 'a number of connections').default(5),
  TOLLGATE_CELL: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,29}$/, 'must be a name: 1 to 30 of a-z, 0-9 and -')
    .optional(),
  DATA_DIR: z.string().default('./.data'),
  EMBEDDED_POSTGRES: oneOf('true', 'false').optional(),
  POSTGRES_BIN: z.string().default('newest'),
  BOOTSTRAP_SECRET_KEY: z
    .string()
    .regex(
      /^sk_test_[0-9A-Za-z_]{24,192}$/,
      'must be sk_test_ and 24 to 192 random characters of 0-9A-Za-z_',
    )
    .optional(),
  BOOTSTRAP_CURRENCY: z.string().refine(isCurrency, unknownCurrency).default('USD'),
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
  NATS_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .refine(
      (urls) => urls.every((url) => URL.canParse(url) && /^(nats|tls):\/\//.test(url)),
      'must be nats:// or tls:// addresses, with commas between them',
    )
    .optional(),
  NATS_CREDENTIALS_FILE: z.string().optional(),
  NATS_MONITORING_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .refine(
      (urls) => urls.every((url) => URL.canParse(url) && /^https?:\/\//.test(url)),
      'must be http:// or https:// addresses, with commas between them',
    )
    .optional(),
  NATS_REPLICAS: wholeNumber(1, 5, 'a number of servers').default(3),
  EVENT_RETENTION_DAYS: wholeNumber(1, 3_650, 'a number of days').default(30),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500, 'a number of days').default(365),
  AUDIT_ADDRESSES: oneOf('true', 'false').default('false'),
  USAGE_EVENT_MONTHS: wholeNumber(0, 1_200, 'a number of months').default(0),
  HISTORY_DIR: z.string().optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
    .optional(),
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  MAIL_DAYS: wholeNumber(1, 3_650, 'a number of days').default(90),
  CHECKOUT_SESSION_DAYS: wholeNumber(2, 3_650, 'a number of days').default(14),
  PROCESSOR_EVENT_DAYS: wholeNumber(1, 3_650, 'a number of days').default(35),
  OPERATOR_SESSION_DAYS: wholeNumber(1, 3_650, 'a number of days').default(30),
  CRON_RUN_DAYS: wholeNumber(1, 3_650, 'a number of days').default(7),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .optional(),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https:// address' })
    .refine(isSafeIssuer, 'must be an https:// address; http:// only for this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(60, 'must have at most 60 characters').default('Single sign-on'),
  CORS_ORIGINS: z
    .string()
    .regex(
      /^(\*|none|loopback|https?:\/\/[^\s,/]+(,\s*https?:\/\/[^\s,/]+)*)$/,
      'must be *, none, loopback, or origins such as https://app.example.com, with commas between them',
    )
    .optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  TRUSTED_DOCUMENTS_ONLY: z
    .string()
    .regex(
      /^(all|none|(secret|publishable|token)(,\s*(secret|publishable|token))*)$/,
      'must be all, none, or some of secret, publishable and token, with commas between them',
    )
    .default('none'),
  WEBHOOK_ALLOW_PRIVATE: oneOf('true', 'false').default('false'),
  METRICS_TOKEN: z.string().min(20, 'must be at least 20 random characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(100, 'must have at most 100 characters').default('tollgate'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  OPERATION_TIME_LIMIT_SECONDS: wholeNumber(1, 600, 'a number of seconds').default(30),
  SLOW_REQUEST_MILLISECONDS: wholeNumber(0, 600_000, 'a number of milliseconds').default(1_000),
  DRAIN_SECONDS: wholeNumber(0, 300, 'a number of seconds').optional(),
  ...limitSettings,
});
