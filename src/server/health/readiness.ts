import pg from 'pg';
import type { AbsentOrganizations } from '#domain/kernel/absent-organizations.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { eventLag } from '#domain/platform/feed/event-lag.ts';
import { runningTime } from '#engines/process/running-time.ts';
import { isLost } from '../database/lost-connection.ts';
import { pendingMigrations, unknownMigrations } from '../database/migrations.ts';
import type { CheckedPool } from '../database/pool.ts';
import {
  type ServerAnswer,
  type ServerVersion,
  serverVersionColumns,
  serverVersionOf,
} from '../database/server-version.ts';
import { createSwallowedCheck } from '../database/swallowed.ts';
import { withinRunningTime } from '../database/within-running-time.ts';
import type { Logger } from '../observability/logger.ts';

const pauseMilliseconds = 750;
/** The pause while no request and no probe asks. */
const idlePauseMilliseconds = 3_000;
/** A request sees what the database served at most so long ago: a move waits as long before another cell serves. */
const freshMilliseconds = 1_000;
/** For so long after a request or a probe the database is checked often. */
const attentiveMilliseconds = 5_000;
/** The short pause lets a recovered database be noticed soon. */
const shortPauseMilliseconds = 250;
/** The timeout for connecting to the database, and for its response. */
const longestAnswerMilliseconds = 1_500;
/** An older answer is outdated. */
const longestAgeMilliseconds = 5_000;
/** After this wait without any caller getting a connection, the pool counts as stuck. */
const stuckMilliseconds = 3_000;

/** Whether requests can be served now, according to a background check. */
export interface Readiness extends AsyncDisposable {
  /** `ready`, or the reason why this process should get no requests. */
  status(): string;
  /** Whether the database has been changed by a newer version. */
  isForeign(): boolean;
  /** The state behind the status, as of the last check. */
  details(): ReadinessDetails;
  /**
   * Has the database be checked often for a while, since a request has come. While nothing had asked, the request waits
   * for one check: it must not be served here if its organization is on its way. Undefined where it need not wait.
   */
  attend(): Promise<void> | undefined;
  /** Makes this process not ready, since it is about to stop. */
  leave(): void;
}

/** The state of the database, for those who ask why a process is not ready. */
interface ReadinessDetails {
  /** The version of the server; undefined until it has answered once. */
  readonly postgres: ServerVersion | undefined;
  readonly migrations: { readonly applied: number; readonly pending: number };
  /** The age of the oldest event without a place in its feed; null while it is unknown. */
  readonly eventLagSeconds: number | null;
}

export interface ReadinessOptions {
  readonly databaseUrl: string;
  readonly pool: CheckedPool;
  readonly logger: Logger;
  /** The seconds without a usable connection, although the database responds, after which `onStuck` is called. */
  readonly stuckSeconds: number;
  readonly onStuck: () => void;
  /** Is called with the organizations that the database does not serve now, whenever they change. */
  readonly onAbsent?: (organizations: AbsentOrganizations) => void;
}

interface Found extends ReadinessDetails {
  readonly status: string;
  readonly foreign: boolean;
  readonly absent: readonly (readonly [id: string, cell: string | null])[];
}

const unchecked: Found = {
  status: 'not checked yet',
  foreign: false,
  absent: [],
  postgres: undefined,
  migrations: { applied: 0, pending: 0 },
  eventLagSeconds: null,
};

/**
 * Checks the database on a separate connection, so the status is known before a request asks for it: once a second while
 * requests come, else every few seconds.
 * After an outage the pool replaces its connections: they may lead to the former server.
 */
export async function watchReadiness(options: ReadinessOptions): Promise<Readiness> {
  const { pool, logger, stuckSeconds, onStuck, onAbsent = () => {} } = options;
  let ended = false;
  let client: pg.Client | undefined;
  let found = unchecked;
  let checkedAt = runningTime();
  let leaving = false;
  const cutSwallowed = createSwallowedCheck(pool);
  /** When the database recovered, while connections from before that are in use. */
  let outageEnd: number | undefined;
  let wake = () => {};
  let attendedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = 0;
  let checking: Promise<void> | undefined;
  await check();
  const watching = watch();

  return {
    status() {
      void attend();
      if (leaving) return 'stopping';
      if (runningTime() - checkedAt > longestAgeMilliseconds) return 'database does not answer';
      if (found.status === 'ready' && pool.stuckMilliseconds > stuckMilliseconds) {
        return 'no database connection is free';
      }
      return found.status;
    },
    attend,
    isForeign: () => found.foreign,
    details() {
      const { postgres, migrations, eventLagSeconds } = found;
      return { postgres, migrations, eventLagSeconds };
    },
    leave() {
      leaving = true;
    },
    async [Symbol.asyncDispose]() {
      ended = true;
      wake();
      // A running check fails immediately.
      drop();
      await watching;
      drop();
    },
  };

  function attend() {
    attendedAt = performance.now();
    const isFresh = attendedAt - lookedAt < freshMilliseconds;
    if (isFresh || found.status !== 'ready') return undefined;
    // The next check follows soon.
    wake();
    return check();
  }

  /** One check at a time, which all wait for that ask meanwhile. */
  function check(): Promise<void> {
    const began = performance.now();
    checking ??= checkOnce().finally(() => {
      lookedAt = began;
      checking = undefined;
    });
    return checking;
  }

  async function watch() {
    while (!ended) {
      await pause();
      if (ended) return;
      await check();
      if (found.status === 'ready' && pool.stuckMilliseconds > stuckSeconds * 1_000) onStuck();
    }
  }

  /** Waits until the next check is due, or the connection has ended. */
  async function pause() {
    let isWoken = false;
    const end = performance.now() + idlePauseMilliseconds;
    do {
      const milliseconds = found.status === 'ready' ? pauseMilliseconds : shortPauseMilliseconds;
      isWoken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, milliseconds, false).unref();
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    } while (!isWoken && isIdle() && performance.now() < end);
  }

  /** Whether no request and no probe has come for a while, and none is in progress. */
  function isIdle() {
    const isAttentive = performance.now() - attendedAt < attentiveMilliseconds;
    return found.status === 'ready' && !isAttentive && pool.idleCount === pool.totalCount;
  }

  async function checkOnce() {
    const before = found.status;
    try {
      client ??= await open(options.databaseUrl, (gone) => {
        if (client !== gone) return;
        client = undefined;
        // The end of this connection may mean that the others lead to another server, too.
        pool.distrust();
        wake();
      });
      const absentBefore = found.absent.join();
      found = await look(client, found.status === 'ready');
      if (found.absent.join() !== absentBefore) onAbsent(new Map(found.absent));
      if (before === 'database unreachable') outageEnd = performance.now();
      const cutting = outageEnd && cutSwallowed(client, outageEnd);
      if (cutting && !(await withinRunningTime(longestAnswerMilliseconds, cutting))) {
        outageEnd = undefined;
      }
    } catch (error) {
      drop();
      if (ended) return;
      found = { ...found, status: 'database unreachable', eventLagSeconds: null };
      if (before !== found.status) {
        logger.warn({ reason: databaseFailure(error) ?? String(error) }, 'The database is gone');
      }
    }
    // A connection to a former primary would report the same forever.
    if (found.status === 'database is read-only') drop();
    checkedAt = runningTime();
    if (found.status === before || (before === unchecked.status && found.status === 'ready'))
      return;
    pool.distrust();
    if (found.status === 'ready') logger.info('The database can be used');
    else if (found.status !== 'database unreachable') logger.warn(`Not ready: ${found.status}`);
  }

  /** Destroys the socket, since an unresponsive server would not receive the protocol's farewell. */
  function drop() {
    const gone = client as
      | (pg.Client & { connection?: { stream: { destroy(): void } } })
      | undefined;
    client = undefined;
    gone?.connection?.stream.destroy();
  }
}

async function open(databaseUrl: string, onEnd: (client: pg.Client) => void) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tollgate ready',
    connectionTimeoutMillis: longestAnswerMilliseconds,
  });
  client.on('error', () => {});
  await client.connect();
  client.on('end', () => onEnd(client));
  return client;
}

/** A setting of the database or the role applies to new connections only, so it is looked up. */
const question = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean
    or exists (select from pg_db_role_setting s join pg_database d on d.datname = current_database()
      where s.setdatabase in (0, d.oid) and s.setrole in (0, (select oid from pg_roles where rolname = current_user))
        and s.setconfig && array['default_transaction_read_only=on', 'default_transaction_read_only=true']) as "readOnly",
  coalesce((select json_agg(name) from mikro_orm_migrations), '[]') as applied, ${serverVersionColumns}`;

interface Answer extends ServerAnswer {
  readonly readOnly: boolean;
  readonly applied: string[];
  readonly lag: number;
  readonly absent: Found['absent'];
}

/**
 * The same with the age of the oldest event that has no place, and what the database does not serve: the schema of
 * another version may not have these tables. An organization that has moved counts as on its way for a minute, until all
 * that leads requests to cells knows the new one: clients repeat their requests meanwhile.
 */
const wholeQuestion = `${question}, (select lag from (${eventLag}) measured) as lag, (
  select coalesce(json_agg(json_build_array(a.organization_id,
    case when m.state = 'moved' and m.changed_at < now() - interval '1 minute' then m.cell end) order by a.organization_id), '[]')
  from absent_organizations() a join organization_move m using (organization_id)) as absent`;

/** Looks at a database; where its schema was known, in one statement. */
async function look(client: pg.Client, isKnown: boolean): Promise<Found> {
  const text = isKnown ? wholeQuestion : question;
  const [answer] = (
    await ask<Answer>(client, text).catch((error) => {
      // The schema is another one now, which the first question tells.
      if (!isKnown || isLost(error)) throw error;
      return ask<Answer>(client, question);
    })
  ).rows;
  const { readOnly, applied, lag, absent } = answer ?? { readOnly: true, applied: [] };
  const [newer] = unknownMigrations(applied);
  const foreign = newer !== undefined;
  const pending = pendingMigrations(applied).length;
  const status = readOnly
    ? 'database is read-only'
    : foreign
      ? `database belongs to a newer version, which has applied ${newer}`
      : pending > 0
        ? 'migrations pending'
        : 'ready';
  // Without the rest it is not known yet.
  if (status === 'ready' && !isKnown) return look(client, true);
  return {
    status,
    foreign,
    postgres: answer && serverVersionOf(answer),
    migrations: { applied: applied.length, pending },
    eventLagSeconds: status === 'ready' && lag !== undefined ? Math.round(lag) : null,
    absent: (status === 'ready' && absent) || [],
  };
}

/** The response to a statement. A process that is busy, such as at its start, is no reason to give it up. */
const ask = <Row extends pg.QueryResultRow>(client: pg.Client, sql: string) =>
  withinRunningTime(longestAnswerMilliseconds, client.query<Row>(sql));
