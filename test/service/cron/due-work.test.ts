// @module-tag long
import type { MikroORM } from '@mikro-orm/postgresql';
import { expect } from 'vitest';
import { dueBetween } from '#cron/due-times.ts';
import { type DueJob, dueJobs, hasCondition } from '#cron/due-work.ts';
import { jobs } from '#cron/jobs.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { oneOfEach } from '../../support/records/one-of-each.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const parts = {
  ...{ eventDays: 30, auditDays: 0, usageEventMonths: 0, checkoutDays: 14, processorEventDays: 35 },
  ...{ sessionDays: 30, cronRunDays: 7, mailDays: 90 },
  deliverer: { sweep: async () => 0 },
  mailer: { sweep: async () => 0 },
  onFailure() {},
};

const asked = jobs.filter(hasCondition);
const days = [0, 1, 8, 31, 32, 40];

/** The jobs with work at an instant, or that have not run for long. */
async function ask(orm: MikroORM, now: Date): Promise<DueJob[]> {
  const text = dueJobs(asked.map(({ name }) => name));
  return orm.em.fork().execute(text.replaceAll('now()', `'${now.toISOString()}'::timestamptz`));
}

test('a job that runs every minute says whether it has work', () => {
  const minute = [new Date('2026-03-02T10:01:30Z'), new Date('2026-03-02T10:01:59Z')] as const;
  const before = [new Date('2026-03-02T10:01:00Z'), new Date('2026-03-02T10:01:30Z')] as const;
  const often = jobs.filter(({ pattern }) =>
    [minute, before].some(([from, to]) => dueBetween(pattern, from, to)),
  );
  expect(often.length).toBeGreaterThan(20);
  expect(often.filter((job) => !hasCondition(job)).map(({ name }) => name)).toEqual([]);
});

test('a job that finds work is one that the database has named before', async ({
  database: { orm },
  session,
}) => {
  await oneOfEach(session);
  const present = await presentOf(orm.em);
  const found = new Set<string>();
  for (const ahead of days) {
    const now = new Date(present.getTime() + ahead * 86_400_000);
    for (const { name, run } of asked) {
      const work = new Set((await ask(orm, now)).flatMap((job) => (job.hasWork ? job.name : [])));
      const outcome = await run({ em: orm.em.fork(), now, runId: name, ...parts });
      if (/^0 /.test(outcome)) continue;
      found.add(name);
      expect(work, `${name}: ${outcome}`).toContain(name);
    }
  }
  expect(found.size).toBeGreaterThan(5);
});

test('a job without work is named when it has not run for 3 minutes', async ({
  database: { orm },
}) => {
  const now = await presentOf(orm.em);
  const job = 'count-usage';
  const isNamed = async () => (await ask(orm, now)).some(({ name }) => name === job);
  const ran = (minutes: number) =>
    orm.em
      .fork()
      .execute(
        `insert into cron_run (id, job, created_at) values (?, ?, ?) on conflict do nothing`,
        [`${job} ${minutes}`, job, new Date(now.getTime() - minutes * 60_000)],
      );
  await ran(4);
  expect(await isNamed()).toBe(true);
  await ran(2);
  expect(await isNamed()).toBe(false);
});
