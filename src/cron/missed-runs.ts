import type { Job } from './job.ts';

/** For this long the regular run has precedence. */
const graceMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;

/** When a job that runs once a day or once an hour was last due; undefined for one that runs more often. */
export function lastDue(pattern: string, now: Date): Date | undefined {
  const [, minute, hour] = /^(\d+) (\d+|\*) \* \* \*$/.exec(pattern) ?? [];
  if (minute === undefined) return undefined;
  const due = new Date(now);
  due.setUTCMinutes(Number(minute), 0, 0);
  if (hour !== '*') due.setUTCHours(Number(hour));
  if (due <= now) return due;
  return new Date(due.getTime() - (hour === '*' ? 1 : 24) * hourMilliseconds);
}

/**
 * Runs jobs that were missed at their due time, because no process was up or because it was killed. A job that runs
 * more often than once an hour is left to its next run. `stop` lets the current job finish.
 */
export async function runMissedJobs(
  table: readonly Job[],
  now: Date,
  run: (job: Job, due: Date) => Promise<unknown>,
  stop?: AbortSignal,
) {
  for (const job of table) {
    if (stop?.aborted) return;
    const due = lastDue(job.pattern, now);
    if (!due || now.getTime() - due.getTime() < graceMilliseconds) continue;
    await run(job, due);
  }
}
