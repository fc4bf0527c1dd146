import type { EntityManager } from '@mikro-orm/postgresql';
import { purgeEvents } from '#domain/events/purge-events.ts';
import { purgeIdempotencyKeys } from '#domain/idempotency/purge-idempotency-keys.ts';

/** How long things are kept. */
export interface Retention {
  readonly eventDays: number;
}

/** What every job is given: a fresh EntityManager, the instant it was due, and what is kept how long. */
export interface JobContext extends Retention {
  readonly em: EntityManager;
  readonly now: Date;
}

export interface Job {
  readonly name: string;
  /** When, as cron writes it, in UTC. */
  readonly pattern: string;
  /** A sweep that may run twice or late. Answers what it did. */
  run(context: JobContext): Promise<string>;
}

const dayMilliseconds = 86_400_000;
const before = (now: Date, days: number) => new Date(now.getTime() - days * dayMilliseconds);

/** Every scheduled job. */
export const jobs: readonly Job[] = [
  {
    name: 'purge-events',
    pattern: '7 3 * * *',
    run: async ({ em, now, eventDays }) =>
      `${await purgeEvents(em, before(now, eventDays))} events deleted`,
  },
  {
    name: 'purge-idempotency-keys',
    pattern: '17 * * * *',
    run: async ({ em, now }) =>
      `${await purgeIdempotencyKeys(em, before(now, 1))} answers forgotten`,
  },
  {
    name: 'purge-cron-runs',
    pattern: '37 3 * * *',
    run: async ({ em, now }) => {
      const gone = await em.execute('delete from cron_run where created_at < ? returning id', [
        before(now, 7),
      ]);
      return `${gone.length} runs forgotten`;
    },
  },
];
