import type { MikroORM } from '@mikro-orm/postgresql';
import { despiteFailures } from '#domain/kernel/despite-failures.ts';
import { jobFailed } from '#domain/model/platform/cron-run.ts';
import type { Job, JobParts } from './job.ts';

const aliveMilliseconds = 5_000;

/** The id of the run of a job at its due time. */
export const runId = ({ name }: Pick<Job, 'name'>, due: Date): string =>
  `${name} ${due.toISOString()}`;

/** Whether a run may be claimed again: its process has died, or it has failed an hour ago. */
const canBeClaimed = `(run.finished_at is null and coalesce(run.alive_at, run.created_at) < now() - interval '1 minute')
  or (run.error is not null and run.finished_at < now() - interval '1 hour')`;

/** Which of some runs cannot be claimed, since they are done or in progress. */
export async function claimedRuns(
  orm: MikroORM,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await orm.em
    .fork()
    .execute<{ id: string }[]>(
      `select id from cron_run run where id = any(?::text[]) and (${canBeClaimed}) is not true`,
      [`{${ids.map((id) => JSON.stringify(id)).join(',')}}`],
    );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Claims a run: the first process that inserts its row has it. Dead and failed runs can be claimed again: those
 * without a heartbeat for 1 minute, and those that failed 1 hour ago.
 */
async function claimRun(orm: MikroORM, job: Job, due: Date): Promise<string | undefined> {
  const id = runId(job, due);
  const claimed = await orm.em.fork().execute(
    `insert into cron_run as run (id, job, created_at, alive_at) values (?, ?, ?, now())
     on conflict (id) do update set alive_at = excluded.alive_at, finished_at = null, error = null
     where ${canBeClaimed} returning id`,
    [id, job.name, due],
  );
  return claimed.length === 1 ? id : undefined;
}

/**
 * Deletes the runs that are later than the present, since the clock of the database was set back: their jobs are due at
 * these times again. Runs in progress stay. Returns how many stay: they block their times until they are finished and
 * deleted.
 */
export async function forgetLaterRuns(orm: MikroORM): Promise<number> {
  const em = orm.em.fork();
  const later = `created_at > now() + interval '5 seconds'`;
  await em.execute(
    `delete from cron_run where ${later}
       and (finished_at is not null or alive_at < now() - interval '1 minute')`,
  );
  const [row] = await em.execute<{ count: string }[]>(
    `select count(*) from cron_run where ${later}`,
  );
  return Number(row?.count);
}

/** Why a job failed, and the reference under which its run and the log show it. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly reference = crypto.randomUUID().slice(0, 8);

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/**
 * Runs a job, unless another process does, and records the result. Returns its summary. `now` is the instant that
 * decides which work is due; it is later than `due` when the job fires late. The run does not show the reason of a
 * failure: the error may name records of any tenant, and every tenant can read the runs. Errors: JobFailure.
 */
export async function runJob(
  orm: MikroORM,
  job: Job,
  due: Date,
  parts: JobParts,
  now = due,
): Promise<string | undefined> {
  const id = await claimRun(orm, job, due);
  if (!id) return undefined;
  const finish = ({ outcome, error }: { outcome?: string; error?: string }) =>
    orm.em
      .fork()
      .execute('update cron_run set outcome = ?, error = ?, finished_at = now() where id = ?', [
        ...[outcome ?? null, error ?? null, id],
      ]);
  const alive = setInterval(() => reportAlive(orm, id, parts), aliveMilliseconds).unref();
  try {
    const outcome = await job
      .run({ em: orm.em.fork(), now, runId: id, ...parts })
      .catch((error) => {
        throw new JobFailure(error);
      });
    // The work is done: a connection that is cut now states nothing about it.
    await despiteFailures(() => finish({ outcome }));
    return outcome;
  } catch (error) {
    if (!(error instanceof JobFailure)) throw new JobFailure(error);
    await finish({ error: `${jobFailed} ${error.reference}` });
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** By the clock of the database, which all processes share. */
async function reportAlive(orm: MikroORM, id: string, { onFailure }: JobParts) {
  const report = orm.em.fork().execute('update cron_run set alive_at = now() where id = ?', [id]);
  await report.catch((cause) =>
    onFailure(new Error('The run could not report that it is alive', { cause }), { id }),
  );
}
