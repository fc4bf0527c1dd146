import type { Job } from './jobs.ts';

/** So long the run itself has the first chance. */
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
 * Runs what no process has run when it was due, because none was up, or because the one that ran it has been
 * killed. A job that runs more often than once an hour comes again by itself. `stop` lets the job at hand finish.
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
