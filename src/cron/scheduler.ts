import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import cron from 'node-cron';
import { type Job, type JobParts, jobs } from './jobs.ts';
import { runMissedJobs } from './missed-runs.ts';
import { runJob } from './run-job.ts';

const longestFarewellMilliseconds = 10_000;

/** The library's own lines on the console would stand among those of the log, which are JSON. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** Between the second and the last of the jobs that are due every minute. */
const missedPattern = '35 * * * * *';

/**
 * Fires each job at its times. Of several processes one runs it, and never twice at a time. A daily or hourly
 * job that was missed is run at the start, or within a minute.
 */
export function startScheduler(
  orm: MikroORM,
  parts: JobParts,
  onFailure: (job: string, error: unknown) => void,
  table: readonly Job[] = jobs,
): AsyncDisposable {
  for (const job of table) {
    const task = cron.schedule(
      job.pattern,
      ({ date }) => runJob(orm, job, date, parts).catch((error) => onFailure(job.name, error)),
      { name: job.name, timezone: 'UTC', noOverlap: true, logger: silent },
    );
    task.on('execution:missed', ({ date }) => {
      onFailure(
        job.name,
        new Error(`The process was too busy for the run of ${date.toISOString()}`),
      );
    });
  }
  const stop = new AbortController();
  const runMissed = (now: Date) => runMissedJobs(orm, table, now, parts, onFailure, stop.signal);
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
