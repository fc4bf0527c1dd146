import { expect } from 'vitest';
import { jobs } from '#cron/jobs.ts';
import { runJob } from '#cron/run-job.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { embeddedUrls } from '#server/database/database-roles.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { aTenant } from '../../../support/tenant.ts';
import { apiOf, testAlone } from '../../../support/test.ts';

/** The test's database, whose tables the administrator has made, as the service and its owner find it. */
const test = testAlone('it runs jobs, which work for all organizations').extend(
  'service',
  async ({ database }, { onCleanup }) => {
    const urls = await embeddedUrls(database.databaseUrl);
    const { serviceUrl, ownerUrl } = urls;
    await prepareDatabase(ownerUrl, { serviceUrl, now: new Date() });
    const orm = await connect({
      databaseUrl: serviceUrl,
      poolSize: 10,
      statementTimeoutSeconds: 30,
    });
    onCleanup(() => orm.close());
    return { orm, urls };
  },
);

test('the role of the service changes rows and nothing else, also in a database from before', async ({
  service: { orm, urls },
}) => {
  const em = orm.em.fork();
  const [role] = await em.execute(
    'select rolname, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user',
  );
  expect(role).toEqual({
    rolname: 'tollgate',
    ...{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false },
  });
  for (const sql of [
    `copy customer to program 'cat'`,
    `select pg_read_file('/etc/passwd')`,
    'create table mine (id int)',
    'alter table customer add column mine int',
    'drop table customer',
    'truncate customer',
    'alter table event disable trigger all',
    'delete from mikro_orm_migrations',
    `set session_replication_role = 'replica'`,
    'create role other',
    `select detach_usage_event_month('customer')`,
  ]) {
    await expect(em.execute(sql), sql).rejects.toThrow(
      /permission denied|must be owner|no month of usage events/,
    );
  }
  const left = await em.execute(
    `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p', 'S') and c.relowner <> 'tollgate_owner'::regrole`,
  );
  expect(left).toEqual([]);
  const owner = await connect({ databaseUrl: urls.ownerUrl, poolSize: 1 });
  const [other] = await owner.em
    .fork()
    .execute('select rolsuper from pg_roles where rolname = current_user');
  await owner.close();
  expect(other).toEqual({ rolsuper: false });
});

test('requests and every job work with that role, months of usage events are made and detached', async ({
  service: { orm, urls },
}) => {
  const logger = createLogger('silent');
  await using hub = await openEventHub(orm, urls.serviceUrl, logger);
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const { key } = await aTenant(orm.em);
  const api = apiOf(createGateway(parts), key);
  const meter = await api('POST', '/usage-meters', {
    usageMeter: { name: 'Calls', slug: 'calls' },
  });
  expect(meter.status).toBe(200);
  const customer = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };
  expect((await api('POST', '/customers', { customer })).status).toBe(200);
  const billing = await api('GET', '/customers/ada/billing');
  const subscriptionId = billing.body.currentSubscription.id;
  const usageEvent = {
    subscriptionId,
    usageMeterSlug: 'calls',
    transactionId: 't',
    amount: 1,
  };
  expect((await api('POST', '/usage-events', { usageEvent })).status).toBe(200);

  const jobParts = {
    eventDays: 30,
    auditDays: 0,
    usageEventMonths: 1,
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
  const inAYear = new Date(Date.now() + 400 * 86_400_000);
  for (const job of jobs) {
    const outcome = await runJob(orm, job, inAYear, jobParts);
    expect(outcome, job.name).toMatch(/^\d+ /);
    if (job.name === 'add-usage-event-months') {
      expect(outcome).toMatch(/^3 months added, [2-9] detached usage_event_/);
    }
  }
  const after = { ...usageEvent, transactionId: 'u' };
  expect((await api('POST', '/usage-events', { usageEvent: after })).status).toBe(200);
  expect((await api('GET', '/usage-events')).body.total).toBe(1);
});
