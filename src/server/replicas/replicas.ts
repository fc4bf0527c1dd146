import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';
import { connect } from '../database/database.ts';
import type { CheckedPool } from '../database/pool.ts';
import type { Logger } from '../observability/logger.ts';
import { placeIn } from './position.ts';
import { followReplica, type Replica } from './replica.ts';

const pauseMilliseconds = 500;
/** Tenants beyond this number read from the primary until the replicas have caught up. */
const mostWritten = 10_000;

/** A place of the primary, and when it was there. */
interface Sample {
  readonly at: number;
  readonly place: bigint;
}

/** The standbys that serve reads, and how far each of them is. */
export interface Replicas extends AsyncDisposable {
  /** A replica that has the given place and all writes of this tenant by this process; undefined where none has. */
  choose(tenant: string, place: bigint | undefined): Promise<Replica | undefined>;
  /** The present place of the primary, after a write of a tenant, as clients send it back. */
  afterWrite(tenant: string): Promise<string>;
  /** The state of each, for the metrics and for `/ready`. */
  states(): ReplicaState[];
}

interface ReplicaState {
  readonly name: string;
  readonly usable: boolean;
  /** The age of the newest write that it is known to have, in seconds; null while it cannot be used. */
  readonly lagSeconds: number | null;
}

export interface ReplicaOptions {
  readonly urls: readonly string[];
  readonly poolSize: number;
  readonly statementTimeoutSeconds: number;
  /** A replica whose data is older is passed over. */
  readonly longestLagSeconds: number;
  readonly logger: Logger;
}

/** Connects to the replicas, and asks twice a second how far they are. None of them must be there. */
export async function openReplicas(
  primary: MikroORM,
  { urls, longestLagSeconds, logger, ...options }: ReplicaOptions,
): Promise<Replicas> {
  const replicas = await Promise.all(urls.map((url) => openReplica(url, options)));
  /** The newest first. */
  let samples: Sample[] = [];
  let system: string | undefined;
  let turn = 0;
  const written = new Map<string, Sample>();
  const stop = new AbortController();
  const watching = watch();

  return {
    async choose(tenant, place = 0n) {
      const own = written.get(tenant)?.place ?? 0n;
      const least = own > place ? own : place;
      const usable = replicas.filter(isUsable);
      turn += 1;
      for (let tried = 0; tried < usable.length; tried++) {
        const replica = usable[(turn + tried) % usable.length];
        if (replica && (await replica.hasReplayed(least))) return replica;
      }
      return undefined;
    },
    async afterWrite(tenant) {
      const text = await placeOfPrimary();
      const place = placeIn(text);
      written.delete(tenant);
      if (place !== undefined) written.set(tenant, { at: performance.now(), place });
      const [oldest] = written.keys();
      if (written.size > mostWritten && oldest !== undefined) written.delete(oldest);
      return text;
    },
    states: () =>
      replicas.map((replica) => {
        const age = ageOf(replica);
        return {
          name: replica.name,
          usable: isUsable(replica),
          lagSeconds: age === undefined ? null : Math.round(age / 100) / 10,
        };
      }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    },
  };

  function isUsable(replica: Replica): boolean {
    const age = ageOf(replica);
    return age !== undefined && age <= longestLagSeconds * 1_000;
  }

  /** The milliseconds since the primary was where the replica is; undefined where that is unknown. */
  function ageOf({ replayed }: Replica): number | undefined {
    if (replayed === undefined) return undefined;
    const [newest] = samples;
    if (newest && replayed >= newest.place) return performance.now() - newest.at;
    const reached = samples.find(({ place }) => place <= replayed);
    return reached && performance.now() - reached.at;
  }

  async function watch() {
    let before = '';
    while (!stop.signal.aborted) {
      // A look that fails leaves the replicas as they were.
      await look().catch(() => undefined);
      const now = replicas.map((one) => `${one.name} ${isUsable(one)}`).join();
      if (now !== before && !stop.signal.aborted) {
        for (const replica of replicas) {
          const state = isUsable(replica) ? 'serves reads' : 'is passed over';
          if (!before.includes(`${replica.name} ${isUsable(replica)}`)) {
            logger.info(`The replica ${replica.name} ${state}`);
          }
        }
        before = now;
      }
      await sleep(pauseMilliseconds, undefined, { signal: stop.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** The place of the primary is read first, so a replica that has it is at most this old. */
  async function look() {
    const at = performance.now();
    const place = placeIn(await placeOfPrimary());
    const horizon = at - longestLagSeconds * 2_000;
    if (place !== undefined) {
      samples = [{ at, place }, ...samples.filter((sample) => sample.at > horizon)];
    }
    system ??= await systemOf(primary);
    const known = system;
    await Promise.all(replicas.map((replica) => replica.check(known)));
    // A replica that is used has everything that is older than the longest lag.
    for (const [tenant, write] of written) if (write.at < horizon) written.delete(tenant);
  }

  async function placeOfPrimary(): Promise<string> {
    const [row] = await statement<{ place: string }>(
      primary.em.fork(),
      'place of the primary',
      'select pg_current_wal_flush_lsn()::text as place',
      [],
    );
    return row?.place ?? '';
  }
}

async function systemOf(orm: MikroORM): Promise<string> {
  const [row] = await orm.em
    .fork()
    .execute<{ system: string }[]>(
      'select system_identifier::text as system from pg_control_system()',
    );
  return row?.system ?? '';
}

async function openReplica(
  url: string,
  {
    poolSize,
    statementTimeoutSeconds,
  }: Pick<ReplicaOptions, 'poolSize' | 'statementTimeoutSeconds'>,
): Promise<Replica> {
  const orm = await connect({ databaseUrl: url, poolSize, statementTimeoutSeconds });
  const pool = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
  return followReplica(url, orm, pool);
}
