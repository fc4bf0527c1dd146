import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import ormConfig from '../../mikro-orm.config.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { foundOrganization } from '#domain/organizations/found-organization.ts';

/** Any number that every process of this service agrees on. */
const startLock = 7_011_447_001;

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
    clientUrl: databaseUrl,
    pool: { min: 1, max: poolSize },
    driverOptions: {
      application_name: 'tollgate',
      statement_timeout: statementTimeoutSeconds * 1_000,
      idle_in_transaction_session_timeout: statementTimeoutSeconds * 1_000,
    },
  });
}

export interface Preparation {
  readonly credential?: string | undefined;
  readonly now: Date;
}

/**
 * Brings a database up to date: applies the missing migrations and, when it is empty, founds the first
 * organization. Any number of processes may do so at once; one works, the others wait for it.
 * Answers the new organization's secret key, if there is one.
 */
export async function prepareDatabase(
  databaseUrl: string,
  { credential, now }: Preparation,
): Promise<string | undefined> {
  const lock = new pg.Client({ connectionString: databaseUrl, application_name: 'tollgate start' });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [startLock]);
    const orm = await connect({ databaseUrl, poolSize: 2 });
    try {
      await orm.migrator.up();
      const em = orm.em.fork();
      if ((await em.count(Organization)) > 0) return undefined;
      return (await foundOrganization(em, { name: 'Default', credential, now })).token;
    } finally {
      await orm.close();
    }
  } finally {
    await lock.end();
  }
}
