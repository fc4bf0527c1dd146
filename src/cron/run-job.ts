import type { MikroORM } from '@mikro-orm/postgresql';
import { CronRun } from '#domain/cron-runs/cron-run.ts';
import type { Job, JobParts } from './jobs.ts';

/** Claims a run: of all processes, the first that writes its row has it. */
export async function claimRun(orm: MikroORM, job: Job, due: Date): Promise<string | undefined> {
  const id = `${job.name} ${due.toISOString()}`;
  const claimed = await orm.em
    .fork()
    .execute(
      'insert into cron_run (id, job, created_at) values (?, ?, ?) on conflict do nothing returning id',
      [id, job.name, due],
    );
  return claimed.length === 1 ? id : undefined;
}

/**
 * Runs a job, unless another process does, and writes down what became of it. `now` is the instant of which it
 * decides what is due; it is later than `due` where the job fires late. Errors: the job's own.
 */
export async function runJob(orm: MikroORM, job: Job, due: Date, parts: JobParts, now = due) {
  const id = await claimRun(orm, job, due);
  if (!id) return;
  const finish = (result: { outcome?: string; error?: string }) =>
    orm.em.fork().nativeUpdate(CronRun, id, { ...result, finishedAt: new Date() });
  try {
    await finish({ outcome: await job.run({ em: orm.em.fork(), now, ...parts }) });
  } catch (error) {
    await finish({ error: (error as Error).message });
    throw error;
  }
}
