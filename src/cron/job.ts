import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import type { DueSweep } from '#domain/kernel/for-each-due.ts';
import type { Deliverer } from './deliverer.ts';
import type { Mailer } from './mailer.ts';

/** The work of jobs on the files of old usage. */
interface HistoryJobs {
  /** Moves old months of usage events to files. Returns the names of their tables. */
  archiveMonths(
    em: EntityManager,
    now: Date,
    months: number,
    onFailure: OnFailure,
  ): Promise<string[]>;
  /** Compares files with what was written. */
  check(
    em: EntityManager,
    now: Date,
    onFailure: OnFailure,
  ): Promise<{ readonly files: number; readonly damaged: number }>;
}

/** The parts of the process that jobs need. */
export interface JobParts {
  /** How long events are kept. */
  readonly eventDays: number;
  /** How long the audit log keeps them, if that is longer. */
  readonly auditDays: number;
  /** How many past months of usage events stay in their table; 0 for all. */
  readonly usageEventMonths: number;
  /** The files of older months; undefined to keep these as separate tables. */
  readonly history?: HistoryJobs | undefined;
  /** How long checkout sessions without success are kept. */
  readonly checkoutDays: number;
  /** How long events of processors are kept. */
  readonly processorEventDays: number;
  /** How long ended sessions and invitations of operators are kept. */
  readonly sessionDays: number;
  /** How long runs of jobs are kept; those without work for a day. */
  readonly cronRunDays: number;
  /** How long mails are kept. */
  readonly mailDays: number;
  readonly deliverer: Pick<Deliverer, 'sweep'>;
  readonly mailer: Pick<Mailer, 'sweep'>;
  /** Is notified of an item of a sweep that has failed, and the reason; the others are not affected. */
  readonly onFailure: OnFailure;
}

/**
 * The arguments of every job: a fresh EntityManager, the present by the database's clock, and the
 * process's parts.
 */
interface JobContext extends JobParts {
  readonly em: EntityManager;
  readonly now: Date;
  /** The id of the run: the name of the job and its due time. */
  readonly runId: string;
}

export interface Job {
  readonly name: string;
  /** The schedule as a cron expression (with seconds first where it has 6 parts), in UTC. */
  readonly pattern: string;
  /** A sweep that may run twice or late. Returns a summary. */
  run(context: JobContext): Promise<string>;
}

/** The job of a sweep. Its summary is a number and its `results`, for example «3 refunds resumed». */
export const sweepJob = (name: string, pattern: string, sweep: DueSweep, results: string): Job => ({
  name,
  pattern,
  run: async ({ em, now, runId, onFailure }) =>
    `${await sweep(em, now, runId, onFailure)} ${results}`,
});
