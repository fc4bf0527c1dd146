import path from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ConfigError } from '#config';
import { foundOrganization, foundWithoutKey } from '#domain/organizations/found-organization.ts';
import { Organization } from '#domain/organizations/organization.ts';
import ormConfig from '../../mikro-orm.config.ts';
import { grantService } from './database-roles.ts';
import { checkSecretsKeys } from './stored-secrets.ts';

/** Any number that every process of this service agrees on. */
const startLock = 7_011_447_001;

const longestConnectMilliseconds = 10_000;

export interface DatabaseOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** How long one statement may run; without it as long as it takes. */
  readonly statementTimeoutSeconds?: number;
}

/** Connects to a database, which must have been prepared. */
export function connect({ databaseUrl, poolSize, statementTimeoutSeconds = 0 }: DatabaseOptions) {
  return MikroORM.init({
    ...ormConfig,
    // The migrations are found from here, wherever the process is started.
    baseDir: path.resolve(import.meta.dirname, '../..'),
    migrations: { ...ormConfig.migrations, silent: true },
    clientUrl: databaseUrl,
    pool: { min: 1, max: poolSize },
    driverOptions: {
      application_name: 'tollgate',
      statement_timeout: statementTimeoutSeconds * 1_000,
      // Whoever waits for a row or a connection is told before its whole time is over.
      lock_timeout: statementTimeoutSeconds * 500,
      connectionTimeoutMillis: longestConnectMilliseconds,
      idle_in_transaction_session_timeout: statementTimeoutSeconds * 1_000,
    },
  });
}

export interface Preparation {
  readonly credential?: string | undefined;
  readonly now: Date;
  /** Whether a new organization gets no key, unless `credential` is one: what is printed stays in logs. */
  readonly withoutKey?: boolean;
  /** Is called when an organization without a key was founded. */
  readonly onFounded?: () => void;
  /** The address with which the service works, where its role is not the one that owns the tables. */
  readonly serviceUrl?: string | undefined;
  /** Ends the wait for another process, which may take long; work that has begun is completed. */
  readonly stop?: AbortSignal;
}

/**
 * Brings a database up to date: applies the missing migrations and, when it is empty, founds the first
 * organization. Any number of processes may do so at once; one works, the others wait for it.
 * Answers the new organization's secret key, if there is one.
 * Errors: ConfigError when DATABASE_URL leads to no database, and for a key that SECRETS_KEY lacks; the reason of `stop`.
 */
export async function prepareDatabase(
  databaseUrl: string,
  { credential, now, withoutKey = false, onFounded, serviceUrl = databaseUrl, stop }: Preparation,
): Promise<string | undefined> {
  const lock = await openLockConnection(databaseUrl);
  try {
    await takeStartLock(lock, stop);
    const orm = await connect({ databaseUrl, poolSize: 2 });
    try {
      await orm.migrator.up();
      await grantService(lock, { serviceUrl, ownerUrl: databaseUrl });
      const em = orm.em.fork();
      await checkSecretsKeys(em);
      if ((await em.count(Organization)) > 0) return undefined;
      const founding = { name: 'Default', now };
      if (credential || !withoutKey) {
        return (await foundOrganization(em, { ...founding, credential })).token;
      }
      await foundWithoutKey(em, founding);
      onFounded?.();
      return undefined;
    } finally {
      await orm.close();
    }
  } finally {
    await lock.end();
  }
}

/** The first connection of a start, so the one that meets a wrong DATABASE_URL. */
async function openLockConnection(databaseUrl: string) {
  try {
    const lock = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tollgate start',
      connectionTimeoutMillis: longestConnectMilliseconds,
    });
    // A lost connection is told by the statement that needs it.
    lock.on('error', () => {});
    await lock.connect();
    return lock;
  } catch (error) {
    throw new ConfigError(`DATABASE_URL ${placeOf(databaseUrl)} cannot be used: ${reason(error)}`);
  }
}

async function takeStartLock(lock: pg.Client, stop: AbortSignal | undefined) {
  const giveUp = () => void lock.end();
  stop?.throwIfAborted();
  stop?.addEventListener('abort', giveUp);
  try {
    await lock.query('select pg_advisory_lock($1)', [startLock]);
  } catch (error) {
    stop?.throwIfAborted();
    throw error;
  } finally {
    stop?.removeEventListener('abort', giveUp);
  }
}

/** An address as it may be shown: without its password. */
function placeOf(databaseUrl: string) {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function reason(error: unknown): string {
  const { errors, message } = error as AggregateError;
  return errors?.map(reason).join(', ') ?? message;
}
