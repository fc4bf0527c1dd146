import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { connect } from '#server/database/database.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { anAdjustable } from '../../support/adjustments.ts';
import { aCustomer, aWebhook } from '../../support/factories.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { testAlone } from '../../support/test.ts';

const metricsToken = 'fake_metrics_token_0000';

const test = testAlone('the metrics are those of all organizations').extend(
  'measured',
  { scope: 'file' },
  async ({ database, hub }, { onCleanup }) => {
    const proxy = await startProxy(database.databaseUrl);
    const orm = await connect({
      databaseUrl: proxy.databaseUrl,
      poolSize: 4,
      statementTimeoutSeconds: 30,
    });
    const logger = createLogger('silent');
    const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
    const partition = { partition: 'usage-main-0', messages: 3, ageSeconds: 2, missing: 0 };
    const usageStream = { isReady: () => true, pending: async () => [partition] };
    const gateway = createGateway({ ...parts, metricsToken, usageStream });
    onCleanup(async () => {
      await gateway.dispose();
      await orm.close(true);
      await proxy[Symbol.asyncDispose]();
    });
    const values = async () => {
      const headers = { authorization: `Bearer ${metricsToken}` };
      const answer = await gateway.fetch('http://test/metrics', { headers });
      expect(answer.status).toBe(200);
      const lines = (await answer.text()).split('\n').filter((line) => /^tollgate_/.test(line));
      return new Map(
        lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]),
      );
    };
    return { gateway, proxy, values };
  },
);

const requests = (method: string, route: string, status: number) =>
  `tollgate_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

test('requests are measured by route and status, and unknown paths share one label', async ({
  measured: { gateway, values },
  tenant: { key },
}) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (const path of [
    'customers/one',
    'customers/two',
    'nothing',
    'customers/one/nothing/at/all',
  ]) {
    await gateway.fetch(`http://test/api/v1/${path}`, { headers });
  }
  await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers,
    body: '{"query":"{ viewer { kind } }"}',
  });
  await gateway.fetch('http://test/health');
  const known = await values();
  expect(known.get(requests('GET', '/api/v1/customers/{externalId}', 404))).toBe(2);
  expect(known.get(requests('GET', 'other', 404))).toBe(2);
  expect(known.get(requests('POST', '/graphql', 200))).toBe(1);
  expect(known.get(requests('GET', '/health', 200))).toBe(1);
  const bucket = [...known.keys()].find((name) => /_bucket.*le="0.005".*\/health/.test(name));
  expect(bucket).toBeDefined();
});

test('charges are counted by their outcome', async ({ measured: { values }, session }) => {
  const name = (status: string) =>
    `tollgate_charge_outcomes_total{status="${status}",livemode="false"}`;
  const before = await values();
  const it = await anAdjustable(session);
  await it.pays('sandbox_decline_expired_card', { default: true });
  await it.toDay(31);
  const after = await values();
  const rise = (status: string) => (after.get(name(status)) ?? 0) - (before.get(name(status)) ?? 0);
  expect([rise('succeeded'), rise('failed')]).toEqual([1, 1]);
});

test('backlogs, jobs and differences of all organizations are stated', async ({
  measured: { values },
  session,
}) => {
  const { em } = session;
  const it = await anAdjustable(session);
  await it.toDay(31);
  await em.execute(
    `update billing_run set status = 'scheduled', test_clock_id = null, due_at = now() - interval '90 seconds'
     where subscription_id = ? and attempt_number = 1`,
    [it.id],
  );
  await em.execute(
    `update subscription set test_clock_id = null, transition_due_at = now() - interval '1 second' where id = ?`,
    [it.id],
  );
  // Before the webhook, so that its event has no delivery.
  const customer = await aCustomer(session);
  const { webhook } = await aWebhook(session);
  await em.execute(
    `insert into webhook_delivery (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
       webhook_id, event_id, event_type, sequence, object_id, status)
     select 'wd_' || e.id, now(), now(), w.livemode, w.organization_id, w.pricing_model_id, w.id, e.id, e.type,
       e.position, e.object_id, case when row_number() over (order by e.position) <= 2 then 'pending' else 'failed' end
     from event e join webhook w on w.pricing_model_id = e.pricing_model_id
     where w.id = ? order by e.position limit 5`,
    [webhook.id],
  );
  for (const [job, error] of [
    ['check-books', null],
    ['purge-events', 'JOB_FAILED fake'],
  ] as const) {
    await em.execute(
      `insert into cron_run (id, job, created_at, finished_at, error) values (?, ?, now(), to_timestamp(1e9), ?)`,
      [`${job} now`, job, error],
    );
  }
  em.create(BookDifference, { customer: customer.id, currency: 'USD', difference: 1 });
  await em.flush();
  // No event gets its number while the head of the feed is locked.
  const feed = em.fork();
  await feed.begin();
  await feed.execute('select from event_head where organization_id = ? for update', [
    session.organizationId,
  ]);
  await aCustomer(session);
  await em.execute(
    `update event set recorded_at = now() - interval '1 hour' where sequence is null and organization_id = ?`,
    [session.organizationId],
  );
  const known = await values();
  await feed.rollback();
  expect(known.get('tollgate_billing_runs_due')).toBeGreaterThanOrEqual(1);
  expect(known.get('tollgate_billing_runs_due_seconds')).toBeGreaterThanOrEqual(90);
  expect(known.get('tollgate_boundaries_due')).toBe(1);
  expect(known.get('tollgate_webhook_deliveries_pending')).toBe(2);
  expect(known.get('tollgate_webhook_deliveries_dead')).toBe(3);
  expect(known.get('tollgate_event_lag_seconds')).toBeGreaterThanOrEqual(3_600);
  expect(known.get('tollgate_book_differences')).toBe(1);
  const succeeded = 'tollgate_job_last_success_timestamp_seconds';
  expect(known.get(`${succeeded}{job="check-books"}`)).toBe(1e9);
  expect(known.has(`${succeeded}{job="purge-events"}`)).toBe(false);
  expect(known.get('tollgate_job_failures{job="purge-events"}')).toBe(1);
  expect(known.get('tollgate_job_failures{job="check-books"}')).toBe(0);
});

test('the process is measured while the database is gone', async ({
  measured: { proxy, values },
  database,
}) => {
  const before = await values();
  expect(before.get('tollgate_database_up')).toBe(1);
  const of = (state: string) => before.get(`tollgate_pool_connections{state="${state}"}`) ?? 0;
  expect(of('idle') + of('used')).toBeGreaterThan(0);
  expect(of('waiting')).toBe(0);
  proxy.leadTo('postgresql://127.0.0.1:1/gone');
  proxy.cut();
  const known = await values();
  proxy.leadTo(database.databaseUrl);
  expect(known.get('tollgate_database_up')).toBe(0);
  expect(known.has('tollgate_event_lag_seconds')).toBe(false);
  expect(known.has('tollgate_pool_connections{state="waiting"}')).toBe(true);
});

test('each metric of the rules for alerts and of the dashboard for Grafana exists', async ({
  measured: { values },
}) => {
  const names = new Set([...(await values()).keys()].map((name) => name.replace(/\{.*/, '')));
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const text = await readFile(new URL(`../../../src/deploy/${file}`, import.meta.url), 'utf8');
    const used = new Set(text.match(/\btollgate_\w+/g));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => !names.has(name))).toEqual([]);
  }
});
