import type { MikroORM } from '@mikro-orm/postgresql';
import cron from 'node-cron';
import { presentOf } from '#domain/present.ts';
import { type Job, type JobParts, jobs } from './jobs.ts';
import { runJob } from './run-job.ts';

const longestFarewellMilliseconds = 10_000;

/** The library's own lines on the console would stand among those of the log, which are JSON. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** Fires each job at its times. Of several processes one runs it, and never twice at a time. */
export function startScheduler(
  orm: MikroORM,
  parts: JobParts,
  onFailure: (job: string, error: unknown) => void,
  table: readonly Job[] = jobs,
): AsyncDisposable {
  // By the database's clock, so that a process whose own is ahead ends nothing too early.
  const run = async (job: Job, due: Date) => runJob(orm, job, due, parts, await presentOf(orm.em));
  for (const job of table) {
    const task = cron.schedule(
      job.pattern,
      ({ date }) => run(job, date).catch((error) => onFailure(job.name, error)),
      { name: job.name, timezone: 'UTC', noOverlap: true, logger: silent },
    );
    task.on('execution:missed', ({ date }) => {
      onFailure(
        job.name,
        new Error(`The process was too busy for the run of ${date.toISOString()}`),
      );
    });
  }
  return {
    [Symbol.asyncDispose]: async () => void (await cron.shutdown(longestFarewellMilliseconds)),
  };
}
