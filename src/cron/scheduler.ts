import type { MikroORM } from '@mikro-orm/postgresql';
import cron from 'node-cron';
import type { OnFailure } from '#domain/failures.ts';
import { presentOf } from '#domain/present.ts';
import { type Job, type JobParts, jobs } from './jobs.ts';
import { runJob } from './run-job.ts';

const longestFarewellMilliseconds = 10_000;

/** The library's own lines on the console would stand among those of the log, which are JSON. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** The log of the jobs: each line names its job, and the tenant where there is one. */
export interface JobLog {
  /** A job has ended; the outcome counts the records of all tenants. */
  done(job: string, outcome: string): void;
  failed(job: string, error: unknown): void;
  /** One item of a sweep has failed; the others are not affected. */
  itemFailed(job: string, ...failure: Parameters<OnFailure>): void;
}

/** Fires each job at its times. Of several processes one runs it, and never twice at a time. */
export function startScheduler(
  orm: MikroORM,
  parts: Omit<JobParts, 'onFailure'>,
  log: JobLog,
  table: readonly Job[] = jobs,
): AsyncDisposable {
  for (const job of table) {
    const { name } = job;
    const run = async (due: Date) => {
      const onFailure: OnFailure = (error, item) => log.itemFailed(name, error, item);
      // By the database's clock, so that a process whose own is ahead ends nothing too early.
      const now = await presentOf(orm.em);
      const outcome = await runJob(orm, job, due, { ...parts, onFailure }, now);
      if (outcome !== undefined) log.done(name, outcome);
    };
    const task = cron.schedule(
      job.pattern,
      ({ date }) => run(date).catch((error) => log.failed(name, error)),
      { name, timezone: 'UTC', noOverlap: true, logger: silent },
    );
    task.on('execution:missed', ({ date }) => {
      log.failed(name, new Error(`The process was too busy for the run of ${date.toISOString()}`));
    });
  }
  return {
    [Symbol.asyncDispose]: async () => void (await cron.shutdown(longestFarewellMilliseconds)),
  };
}
