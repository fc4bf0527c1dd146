import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import cron from 'node-cron';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { inSpan } from '#domain/kernel/in-span.ts';
import { presentOf } from '#domain/kernel/present.ts';
import type { Job, JobParts } from './job.ts';
import { jobs } from './jobs.ts';
import { runMissedJobs } from './missed-runs.ts';
import { runJob } from './run-job.ts';

const longestFarewellMilliseconds = 10_000;

/** The library's own console lines would mix with the log's lines, which are JSON. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** The log of the jobs: each line names its job, and the tenant where there is one. */
export interface JobLog {
  /** A job has ended; the outcome counts the records of all tenants. */
  done(job: string, outcome: string): void;
  failed(job: string, error: unknown): void;
  /** One item of a sweep has failed; the others are not affected. */
  itemFailed(job: string, ...failure: Parameters<OnFailure>): void;
}

/** Between the second and the last of the jobs that run every minute. */
const missedPattern = '35 * * * * *';

/**
 * Fires each job at its times. One of several processes runs it, and never twice at a time. A missed daily or hourly
 * job runs at the start, or within 1 minute.
 */
export function startScheduler(
  orm: MikroORM,
  parts: Omit<JobParts, 'onFailure'>,
  log: JobLog,
  table: readonly Job[] = jobs,
): AsyncDisposable {
  const run = async (job: Job, due: Date) => {
    try {
      const onFailure: OnFailure = (error, item) => log.itemFailed(job.name, error, item);
      // By the database's clock, so that a process whose own clock is fast ends nothing too early.
      const now = await presentOf(orm.em);
      const outcome = await inSpan(`job ${job.name}`, {}, () =>
        runJob(orm, job, due, { ...parts, onFailure }, now),
      );
      if (outcome !== undefined) log.done(job.name, outcome);
    } catch (error) {
      log.failed(job.name, error);
    }
  };
  for (const job of table) {
    const { name, pattern } = job;
    const options = { name, timezone: 'UTC', noOverlap: true, logger: silent };
    const task = cron.schedule(pattern, ({ date }) => run(job, date), options);
    task.on('execution:missed', ({ date }) => {
      log.failed(name, new Error(`The process was too busy for the run of ${date.toISOString()}`));
    });
  }
  const stop = new AbortController();
  const runMissed = (now: Date) => runMissedJobs(table, now, run, stop.signal);
  cron.schedule(missedPattern, ({ date }) => runMissed(date), {
    name: 'missed-jobs',
    timezone: 'UTC',
    noOverlap: true,
    logger: silent,
  });
  const first = runMissed(new Date());
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      const late = sleep(longestFarewellMilliseconds, undefined, { ref: false });
      await Promise.all([cron.shutdown(longestFarewellMilliseconds), Promise.race([first, late])]);
    },
  };
}
