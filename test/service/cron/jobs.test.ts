import { expect } from 'vitest';
import { jobs } from '#cron/jobs.ts';
import { lastDue, runMissedJobs } from '#cron/missed-runs.ts';
import { forgetLaterRuns, JobFailure, runJob } from '#cron/run-job.ts';
import { openSession } from '#domain/kernel/session.ts';
import { CronRun } from '#domain/model/platform/cron-run.ts';
import { Event } from '#domain/model/platform/event.ts';
import { jobLog } from '../../../src/job-log.ts';
import { aCustomer, aResource, aTestClock } from '../../support/factories.ts';
import { linesTo } from '../../support/log.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const parts = {
  eventDays: 30,
  auditDays: 0,
  usageEventMonths: 0,
  checkoutDays: 14,
  processorEventDays: 35,
  sessionDays: 30,
  cronRunDays: 7,
  deliverer: { sweep: async () => 0 },
  mailer: { sweep: async () => 0 },
  mailDays: 90,
  onFailure(error: unknown) {
    throw error;
  },
};
const dayMilliseconds = 86_400_000;

const job = (name: string) => {
  const found = jobs.find((job) => job.name === name);
  if (!found) throw new Error(`There is no job ${name}`);
  return found;
};

const later = (session: { now: Date }, days: number) =>
  new Date(session.now.getTime() + days * dayMilliseconds);

test('purge-events deletes what is older than its time, and late readers get an error', async ({
  api,
  database,
  session,
}) => {
  await aResource(session);
  const { body } = await api('GET', '/events?limit=100');
  const last = body.data.at(-1).sequence;
  await runJob(database.orm, job('purge-events'), later(session, 29), parts);
  expect((await api('GET', '/events?limit=100')).body.data).toHaveLength(body.data.length);

  await runJob(database.orm, job('purge-events'), later(session, 31), parts);
  expect((await api('GET', '/events?limit=100')).body.data).toEqual([]);
  expect(await api('GET', `/events?after=${last - 1}`)).toMatchObject({ status: 400 });
  await aResource(session);
  const { body: next } = await api('GET', `/events?after=${last}`);
  expect(next.data).toMatchObject([{ sequence: last + 1, type: 'resource.created' }]);
});

test('purge-events keeps what has just been written, whatever its test clock states', async ({
  api,
  database,
  session,
}) => {
  const clock = await aTestClock(session, new Date('2001-01-01T00:00:00Z'));
  const { id } = await aCustomer(session, { testClockId: clock.id });
  await runJob(database.orm, job('purge-events'), later(session, 29), parts);
  const { body } = await api('GET', `/events?objectId=${id}`);
  expect(body.data).toMatchObject([{ type: 'customer.created' }]);
});

test('purge-idempotency-keys forgets answers after a day, and not before', async ({
  api,
  database,
  session,
}) => {
  const post = (slug: string) =>
    api(
      'POST',
      '/resources',
      { resource: { slug, name: 'S' } },
      { headers: { 'idempotency-key': 'once' } },
    );
  await post('seats');
  await runJob(database.orm, job('purge-idempotency-keys'), new Date(), parts);
  expect((await post('seats')).headers.get('idempotent-replayed')).toBe('true');
  await runJob(database.orm, job('purge-idempotency-keys'), later(session, 2), parts);
  expect((await post('others')).status).toBe(200);
});

test('of several processes one runs a job that is due, and its run can be read', async ({
  database,
  graphql,
  session,
}) => {
  let runs = 0;
  const counted = {
    name: 'counted',
    pattern: '* * * * *',
    run: async () => {
      runs++;
      return 'counted once';
    },
  };
  const due = later(session, 1);
  await Promise.all([1, 2, 3, 4].map(() => runJob(database.orm, counted, due, parts)));
  expect(runs).toBe(1);
  const { data } = await graphql(
    '{ cronRuns(where: { job: { is: "counted" } }) { nodes { job startedAt finishedAt outcome error } } }',
  );
  expect(data.cronRuns.nodes).toEqual([
    {
      job: 'counted',
      startedAt: due.getTime(),
      finishedAt: expect.any(Number),
      outcome: 'succeeded',
      error: null,
    },
  ]);
});

test('a job runs at its time again after the clock of the database was set back', async ({
  database,
  session,
}) => {
  let runs = 0;
  const counted = {
    name: 'repeated',
    pattern: '* * * * *',
    run: async () => `run ${++runs}`,
  };
  const due = later(session, 1);
  await runJob(database.orm, counted, due, parts);
  await runJob(database.orm, counted, due, parts);
  expect(runs).toBe(1);
  await forgetLaterRuns(database.orm);
  await runJob(database.orm, counted, due, parts);
  expect(runs).toBe(2);
});

test('a run in progress when the clock was set back is forgotten once it is finished', async ({
  database,
  session,
}) => {
  const due = later(session, 1);
  let runs = 0;
  const long = {
    name: 'in-progress',
    pattern: '* * * * *',
    run: async () => {
      runs += 1;
      if (runs > 1) return 'again';
      expect(await forgetLaterRuns(database.orm)).toBeGreaterThan(0);
      expect(await runJob(database.orm, long, due, parts)).toBeUndefined();
      return 'once';
    },
  };
  expect(await runJob(database.orm, long, due, parts)).toBe('once');
  expect(await forgetLaterRuns(database.orm)).toBe(0);
  expect(await runJob(database.orm, long, due, parts)).toBe('again');
});

test('a run that failed shows tenants a code and a reference, and the error is for the log alone', async ({
  api,
  database,
  session,
}) => {
  const failing = {
    name: 'failing',
    pattern: '* * * * *',
    run: async () => {
      throw new Error('the balance la_1 of another tenant');
    },
  };
  const failure = await runJob(database.orm, failing, later(session, 1), parts).catch(
    (error) => error,
  );
  expect(failure).toBeInstanceOf(JobFailure);
  expect(failure.cause.message).toBe('the balance la_1 of another tenant');
  const { body } = await api('GET', '/cron-runs?limit=100');
  expect(body.data).toContainEqual(
    expect.objectContaining({
      job: 'failing',
      error: `JOB_FAILED ${failure.reference}`,
      outcome: null,
    }),
  );
  expect(JSON.stringify(body)).not.toContain('la_1');
  const stored = await database.orm.em.fork().find(CronRun, { job: 'failing' });
  expect(JSON.stringify(stored)).not.toContain('la_1');
});

test('each line of the log names its job, and the tenant of an item that failed', async ({
  session,
}) => {
  const lines: Record<string, unknown>[] = [];
  const log = jobLog(linesTo(lines));
  const { organizationId, pricingModelId, livemode } = session;
  log.itemFailed('execute-billing-runs', new Error('no'), {
    id: 'bill_run_1',
    ...{ organizationId, pricingModelId, livemode },
  });
  log.failed('check-usage-balances', new JobFailure(new Error('no')));
  log.done('expire-claims', '3 claims and reservations expired');
  log.done('expire-claims', '0 claims and reservations expired');
  expect(lines).toMatchObject([
    { job: 'execute-billing-runs', id: 'bill_run_1', organizationId, pricingModelId },
    { job: 'check-usage-balances', reference: expect.stringMatching(/^[0-9a-f]{8}$/) },
    { job: 'expire-claims', outcome: '3 claims and reservations expired' },
  ]);
});

test('every job does its sweep on a database with data, twice in a row', async ({
  database,
  session,
}) => {
  await aResource(session);
  for (const { name, run } of jobs) {
    for (const days of [0, 0]) {
      const context = {
        em: database.orm.em.fork(),
        now: later(session, days),
        runId: name,
        ...parts,
      };
      expect(await run(context), name).toMatch(/^\d+ /);
    }
  }
  const { em, ...scope } = session;
  expect(await openSession(em, scope).em.count(Event)).toBeGreaterThan(0);
});

test('a daily or hourly job was last due at the last instant that its pattern names', () => {
  const due = (pattern: string, now: string) => lastDue(pattern, new Date(now))?.toISOString();
  expect(due('47 2 * * *', '2026-03-01T02:46:59.999Z')).toBe('2026-02-28T02:47:00.000Z');
  expect(due('47 2 * * *', '2026-03-01T02:47:00.000Z')).toBe('2026-03-01T02:47:00.000Z');
  expect(due('47 2 * * *', '2026-03-01T23:59:59Z')).toBe('2026-03-01T02:47:00.000Z');
  expect(due('17 * * * *', '2026-03-01T00:16:00Z')).toBe('2026-02-28T23:17:00.000Z');
  expect(due('17 * * * *', '2026-03-01T00:18:00Z')).toBe('2026-03-01T00:17:00.000Z');
  for (const often of ['* * * * *', '*/5 * * * * *', '10 * * * * *']) {
    expect(due(often, '2026-03-01T00:18:00Z')).toBeUndefined();
  }
  const rare = jobs.filter(({ pattern }) => lastDue(pattern, new Date()));
  expect(rare.map(({ name }) => name)).toContain('check-usage-balances');
});

test('a daily job that was missed, or whose process was killed, is run once by whichever process comes first', async ({
  database: { orm },
}) => {
  const runs: string[] = [];
  const daily = {
    name: 'daily',
    pattern: '47 2 * * *',
    run: async ({ now }: { now: Date }) => String(runs.push(now.toISOString())),
  };
  const pass = (now: string) =>
    Promise.all(
      [1, 2, 3].map(() =>
        runMissedJobs([daily], new Date(now), (job, due) => runJob(orm, job, due, parts)),
      ),
    );
  // The run itself has the first chance.
  await pass('2026-03-01T02:47:20Z');
  expect(runs).toEqual([]);
  await pass('2026-03-01T09:00:00Z');
  await pass('2026-03-01T09:01:00Z');
  expect(runs).toEqual(['2026-03-01T02:47:00.000Z']);

  const begin = (alive: string) =>
    orm.em.fork().execute(
      `insert into cron_run (id, job, created_at, alive_at) values ('daily 2026-03-02T02:47:00.000Z', 'daily', now(), ${alive})
       on conflict (id) do update set alive_at = excluded.alive_at`,
    );
  await begin('now()');
  await pass('2026-03-02T09:00:00Z');
  expect(runs).toHaveLength(1);
  await begin(`now() - interval '2 minutes'`);
  await pass('2026-03-02T09:01:00Z');
  expect(runs).toEqual(['2026-03-01T02:47:00.000Z', '2026-03-02T02:47:00.000Z']);
});

test('a daily job that failed is tried again after an hour', async ({ database: { orm } }) => {
  let runs = 0;
  const failing = {
    name: 'failing-daily',
    pattern: '47 2 * * *',
    run: async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
      return '1 done';
    },
  };
  const pass = () =>
    runMissedJobs([failing], new Date('2026-03-01T09:00:00Z'), (job, due) =>
      runJob(orm, job, due, parts).catch((error) => expect(error).toBeInstanceOf(JobFailure)),
    );
  await pass();
  await pass();
  expect(runs).toBe(1);
  await orm.em
    .fork()
    .execute(
      `update cron_run set finished_at = now() - interval '61 minutes' where job = 'failing-daily'`,
    );
  await pass();
  await pass();
  expect(runs).toBe(2);
});
