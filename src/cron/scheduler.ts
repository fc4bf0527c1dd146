import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { inSpan } from '#domain/kernel/in-span.ts';
import { lastKnownPresent, presentAfresh, presentOf } from '#domain/kernel/values/present.ts';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import { dueBetween, requirePattern } from './due-times.ts';
import { type DueJob, dueJobs, hasCondition } from './due-work.ts';
import type { Job, JobParts } from './job.ts';
import { jobs } from './jobs.ts';
import { runMissedJobs } from './missed-runs.ts';
import { claimedRuns, forgetLaterRuns, runId, runJob } from './run-job.ts';

const longestFarewellMilliseconds = 10_000;
/** Readings of the same clock differ by less. */
const setBackMilliseconds = 2_000;

/** How long a job is run at each of its times after it had work. */
const warmMilliseconds = 30_000;
/** The pause between two runs of jobs without work, so that these take turns: each has one within ten minutes. */
const idleMilliseconds = 14_000;
/** A job whose work is not known for this long is run. */
const longestUnknownMilliseconds = 8_000;

/** Has the database asked, every few seconds: `next` returns the statement, and `heard` gets its rows. */
export type Ask = (question: {
  next(): string | undefined;
  heard(rows: readonly object[] | undefined): void;
}) => void;

/** The first job without work. */
const nextIdle = (jobs: Iterable<DueJob>) => [...jobs].find(({ hasWork }) => !hasWork)?.name;

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
 * Fires each job at its times, by the clock of the database: processes whose own clocks are wrong, or are set, agree on
 * them. One of several processes runs it, and never twice at a time. A missed daily or hourly job runs at the start, or
 * within 1 minute. With `ask` a job runs only if it has work, which is asked for all jobs together; each runs now and then
 * without work. Errors: Error for a job whose expression is invalid.
 */
export function startScheduler(
  orm: MikroORM,
  parts: Omit<JobParts, 'onFailure'>,
  log: JobLog,
  { table = jobs, ask }: { readonly table?: readonly Job[]; readonly ask?: Ask } = {},
): AsyncDisposable {
  for (const { pattern } of table) requirePattern(pattern);
  const stop = new AbortController();
  const running = new Map<string, Promise<unknown>>();
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
  /** Begins work, unless the last one of its name is not done. */
  const begin = (name: string, work: () => Promise<unknown>) => {
    if (running.has(name)) return;
    running.set(
      name,
      work().finally(() => running.delete(name)),
    );
  };
  /** The jobs whose time has come, until it is known whether they have work. */
  const unknown = new Map<string, { readonly job: Job; readonly due: Date; readonly at: number }>();
  /** Until when jobs are run without a question, since they had work. */
  const warmUntil = new Map<string, number>();
  let idleAt = Number.NEGATIVE_INFINITY;
  let asked: readonly { readonly job: Job; readonly due: Date }[] = [];
  ask?.({
    next() {
      asked = [...unknown.values()];
      return asked.length > 0 ? dueJobs(asked.map(({ job }) => job.name)) : undefined;
    },
    heard(rows) {
      const found = new Map((rows as readonly DueJob[] | undefined)?.map((row) => [row.name, row]));
      const now = performance.now();
      const idle = now - idleAt < idleMilliseconds ? undefined : nextIdle(found.values());
      if (idle) idleAt = now;
      for (const { job, due } of asked) {
        if (!unknown.delete(job.name) || stop.signal.aborted) continue;
        const hasWork = found.get(job.name)?.hasWork ?? false;
        if (rows && !hasWork && job.name !== idle) continue;
        if (hasWork) warmUntil.set(job.name, now + warmMilliseconds);
        begin(job.name, () => run(job, due));
      }
    },
  });
  /** Runs a job, or first asks whether it has work. */
  const consider = (job: Job, due: Date) => {
    const now = performance.now();
    const isWarm = now < (warmUntil.get(job.name) ?? 0);
    if (!ask || isWarm || !hasCondition(job)) return begin(job.name, () => run(job, due));
    unknown.set(job.name, { job, due, at: unknown.get(job.name)?.at ?? now });
  };
  const runUnknown = () => {
    const before = performance.now() - longestUnknownMilliseconds;
    for (const { job, due, at } of unknown.values()) {
      if (at > before) continue;
      unknown.delete(job.name);
      begin(job.name, () => run(job, due));
    }
  };
  /** The clock is read again: by an earlier reading, a run may be later than the present after it was set back. */
  const runMissed = async () => {
    try {
      const missed: [Job, Date][] = [];
      const note = async (job: Job, due: Date) => void missed.push([job, due]);
      await runMissedJobs(table, await presentAfresh(orm.em), note, stop.signal);
      const claimed = await claimedRuns(
        orm,
        missed.map(([job, due]) => runId(job, due)),
      );
      for (const [job, due] of missed) {
        if (stop.signal.aborted) return;
        if (!claimed.has(runId(job, due))) await run(job, due);
      }
    } catch (error) {
      log.failed('scheduler', error);
    }
  };
  const ticking = tick();

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      const late = sleep(longestFarewellMilliseconds, undefined, { ref: false });
      await Promise.race([ticking.then(() => Promise.all(running.values())), late]);
    },
  };

  async function tick() {
    let last = await present();
    let isSetBack = true;
    let hasLaterRuns = false;
    begin('missed', runMissed);
    while (!stop.signal.aborted) {
      const untilSecond = 1_000 - (last.getTime() % 1_000);
      await sleepUnless(stop.signal, untilSecond);
      const now = await present();
      if (stop.signal.aborted) return;
      isSetBack ||= now.getTime() < last.getTime() - setBackMilliseconds;
      const missed = dueBetween(missedPattern, last, now);
      if (isSetBack || (missed && hasLaterRuns)) {
        const left = await forget();
        isSetBack = left === undefined;
        hasLaterRuns = left !== 0;
        if (stop.signal.aborted) return;
      }
      for (const job of table) {
        const due = dueBetween(job.pattern, last, now);
        if (due) consider(job, due);
      }
      runUnknown();
      if (missed) begin('missed', runMissed);
      last = now;
    }
  }

  /** Returns how many later runs stay; undefined where it failed. The clock may also have been set back before the start. */
  async function forget(): Promise<number | undefined> {
    try {
      return await forgetLaterRuns(orm);
    } catch (error) {
      log.failed('scheduler', error);
      return undefined;
    }
  }

  /** While the database cannot be asked, its last time continues: each job states in the log that it fails. */
  async function present(): Promise<Date> {
    try {
      return await presentOf(orm.em);
    } catch {
      // The failing job reports it.
      return lastKnown();
    }
  }

  function lastKnown(): Date {
    try {
      return lastKnownPresent(orm.em);
    } catch {
      // The database has never been asked, and the clock of the machine is all that is known.
      return new Date();
    }
  }
}
