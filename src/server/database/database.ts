import { type MetadataStorage, MikroORM, type Options } from '@mikro-orm/postgresql';
import { ConfigError } from '#config';
import {
  foundOrganization,
  foundWithoutKey,
  type Seller,
} from '#domain/platform/commands/organizations/found-organization.ts';
import { adoptEvents } from '#domain/platform/feed/adopt-events.ts';
import ormConfig from '../../../mikro-orm.config.ts';
import { baseline } from '../../migrations/migrations.ts';
import { checkSecretsKeys } from '../secrets/stored-secrets.ts';
import { grantService } from './database-roles.ts';
import { isTooOld, pendingMigrations, unknownMigrations } from './migrations.ts';
import { limitRole, refusePooler, type TimeLimits } from './pooler.ts';
import {
  checkRights,
  openStartConnection,
  placeOf,
  type Report,
  type StartOptions,
  takeStartLock,
} from './start-connection.ts';

const longestConnectMilliseconds = 10_000;
/** How much longer than the server this side waits for the end of a statement. */
const graceMilliseconds = 5_000;
const keepAliveMilliseconds = 10_000;
/** A new connection plans each statement several times, so one outlasts the pauses between bursts of requests. */
const idleMilliseconds = 60_000;
/** A migration that waits for a lock blocks all later statements, so it gives up and retries. */
const longestLockMilliseconds = 5_000;
const migrationAttempts = 10;

export interface DatabaseOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** How long one statement may run; without a limit when absent. */
  readonly statementTimeoutSeconds?: number;
  /** How long one statement may wait for a lock; half of the statement timeout when absent. */
  readonly lockTimeoutMilliseconds?: number;
  /** Whether a pooler of connections is in between: its role then has the time limits. */
  readonly pooled?: boolean;
  /** Whether SQL is all that the connection executes: without entities it opens in a tenth of the time. */
  readonly withoutEntities?: boolean;
}

/** Connects to a database, which must have been prepared. */
export async function connect({
  databaseUrl,
  poolSize,
  statementTimeoutSeconds = 0,
  // A caller that waits for a row or a connection gets a response before its whole time is over.
  lockTimeoutMilliseconds = statementTimeoutSeconds * 500,
  pooled = false,
  withoutEntities = false,
}: DatabaseOptions) {
  const limited = statementTimeoutSeconds > 0;
  const limits = { ...limitsOf(statementTimeoutSeconds), lock_timeout: lockTimeoutMilliseconds };
  const orm = await (withoutEntities ? openAlone : openWithEntities)({
    ...ormConfig,
    ...(withoutEntities && noEntities),
    migrations: { ...ormConfig.migrations, silent: true },
    clientUrl: databaseUrl,
    pool: { min: 1, max: poolSize, idleTimeoutMillis: idleMilliseconds },
    driverOptions: {
      application_name: 'tollgate',
      ...(!pooled && asTexts(limits)),
      // For a server that does not respond at all, or whose responses are lost in the network.
      query_timeout: limited ? statementTimeoutSeconds * 1_000 + graceMilliseconds : 0,
      connectionTimeoutMillis: longestConnectMilliseconds,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMilliseconds,
    },
  });
  // Each fork changes a setting twice, and each change would write to the environment of the process.
  Object.assign(orm.config, { sync() {} });
  return orm;
}

let known: MetadataStorage | undefined;

/** Opens an ORM. All of a process have the same entities, and to look through them costs a quarter of a second. */
async function openWithEntities(options: Options): Promise<MikroORM> {
  if (!known) {
    const first = await openAlone(options);
    known = first.getMetadata();
    return first;
  }
  const orm = new MikroORM({ ...options, discovery: { skipSyncDiscovery: true } });
  orm.driver.setMetadata(known);
  return Object.assign(orm, {
    em: Object.assign(orm.driver.createEntityManager(), { global: true }),
  });
}

const openAlone = (options: Options): Promise<MikroORM> => MikroORM.init(options);

const noEntities = {
  entities: [],
  filters: {},
  subscribers: [],
  discovery: { warnWhenNoEntities: false },
};

/** The limits of the statements of requests. */
const limitsOf = (statementTimeoutSeconds: number): TimeLimits => ({
  statement_timeout: statementTimeoutSeconds * 1_000,
  lock_timeout: statementTimeoutSeconds * 500,
  idle_in_transaction_session_timeout: statementTimeoutSeconds * 1_000,
});

/** The driver leaves out the number 0, and the limit of the role would be in force. */
const asTexts = (limits: TimeLimits) =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)]));

export interface Preparation extends StartOptions {
  readonly credential?: string | undefined;
  readonly now: Date;
  /** The default currency of a new organization; USD when absent. */
  readonly currency?: string | undefined;
  /** The seller on documents of a new organization. */
  readonly seller?: Seller | undefined;
  /**
   * Whether a new organization gets no key, unless `credential` is one: printed text stays in
   * logs.
   */
  readonly withoutKey?: boolean;
  /** Whether an empty database gets an organization; true when absent. */
  readonly founds?: boolean;
  /** Is called when an organization without a key was founded. */
  readonly onFounded?: () => void;
  /** The address of the service's role, where that does not own the tables. */
  readonly serviceUrl?: string | undefined;
  /** The server itself, where `serviceUrl` leads through a pooler; a pooler is refused when absent. */
  readonly directUrl?: string | undefined;
  /** Is called with each step that may take long. */
  readonly onStep?: (step: string) => void;
  /** The time limit of statements that come through the pooler; unchanged when absent. */
  readonly statementTimeoutSeconds?: number;
}

/**
 * Brings a database up to date: applies the missing migrations and, when it is empty, founds the
 * first organization. Any number of processes may do so at once; one works, the others wait for
 * it. Returns the new organization's secret key, if there is one. Errors: ConfigError when
 * DATABASE_URL leads to no database, to one without the necessary rights, or to a newer version.
 * ConfigError also for a key that SECRETS_KEY lacks; the reason of `stop`.
 */
export async function prepareDatabase(
  databaseUrl: string,
  {
    credential,
    now,
    currency = 'USD',
    seller,
    withoutKey = false,
    onFounded,
    serviceUrl = databaseUrl,
    directUrl,
    statementTimeoutSeconds,
    founds = true,
    place = `DATABASE_URL ${placeOf(databaseUrl)}`,
    onStep = () => {},
    ...given
  }: Preparation,
): Promise<string | undefined> {
  const options = { ...given, place };
  onStep('it connects to the database');
  const start = await openStartConnection(databaseUrl, options);
  try {
    if (directUrl === undefined) await refusePooler(start, { serviceUrl, ownerUrl: databaseUrl });
    onStep('another process is starting on this database');
    await takeStartLock(start, options);
    onStep('it checks the tables of the database');
    const orm = await connect({
      databaseUrl,
      poolSize: 2,
      lockTimeoutMilliseconds: longestLockMilliseconds,
      withoutEntities: true,
    });
    try {
      const applied = await appliedMigrations(start);
      refuseOther(applied, place);
      if (pendingMigrations(applied).length > 0) await checkRights(start, place);
      if (applied.length === 0) options.report?.('Creating the tables of an empty database');
      onStep('it brings the tables and functions of the database up to date');
      await migrate(orm, applied.length > 0 ? options.report : undefined);
      onStep('it checks roles, keys and rows of the database');
      await grantService(start, { serviceUrl, ownerUrl: databaseUrl });
      if (directUrl !== undefined && statementTimeoutSeconds !== undefined) {
        const limits = limitsOf(statementTimeoutSeconds);
        await limitRole({ serviceUrl, directUrl }, limits, options.report ?? (() => {}));
      }
      const em = orm.em.fork();
      await checkSecretsKeys(em);
      await em.execute(adoptEvents);
      if (!founds || (await em.execute('select from organization limit 1')).length > 0) {
        return undefined;
      }
    } finally {
      await orm.close();
    }
    const founding = { name: 'Default', now, currency, seller };
    const foundingOrm = await connect({ databaseUrl, poolSize: 1 });
    try {
      const em = foundingOrm.em.fork();
      if (credential || !withoutKey) {
        return (await foundOrganization(em, { ...founding, credential })).token;
      }
      await foundWithoutKey(em, founding);
      onFounded?.();
      return undefined;
    } finally {
      await foundingOrm.close();
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== '42501') throw error;
    const need = 'the role must own the tables and functions, or have all rights on them';
    throw new ConfigError(`${place} cannot be used: ${message}; ${need}`);
  } finally {
    await start.end();
  }
}

/** The migrations that a database has; none for an empty one. */
async function appliedMigrations(client: Awaited<ReturnType<typeof openStartConnection>>) {
  const table = await client.query(
    `select to_regclass('mikro_orm_migrations') is not null as there`,
  );
  if (!table.rows[0].there) return [];
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  return rows.map(({ name }) => name);
}

/** Refuses a database of a newer version, and one that is too old to be migrated. */
function refuseOther(applied: readonly string[], place: string) {
  if (isTooOld(applied)) {
    throw new ConfigError(
      `${place} belongs to a version that is too old for this one; its last migration is ${applied.toSorted().at(-1)}, and the oldest that can be upgraded has ${baseline}`,
    );
  }
  const unknown = unknownMigrations(applied);
  if (unknown.length === 0) return;
  throw new ConfigError(
    `${place} belongs to a newer version of the service, which has applied ${unknown.join(', ')}: start that version or a later one`,
  );
}

async function migrate(orm: MikroORM, report: Report = () => {}) {
  let began = performance.now();
  orm.migrator.on('migrating', ({ name }) => {
    began = performance.now();
    report(`Applying the migration ${name}`);
  });
  orm.migrator.on('migrated', ({ name }) => {
    report(`The migration ${name} has taken ${Math.round(performance.now() - began)} ms`);
  });
  for (let attempt = 1; ; attempt++) {
    try {
      await orm.migrator.up();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03' || attempt === migrationAttempts)
        throw error;
      report('A table that a migration changes is in use; the migrations are tried again');
    }
  }
}
