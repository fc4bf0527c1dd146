import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { aReceiver } from '../../support/outside/receiver.ts';
import { startService } from '../../support/process.ts';
import { systemTest as test } from '../../support/test.ts';

/** A service of its own on the database of the test, with few connections for requests and one for jobs. */
const settings = {
  DATABASE_POOL_SIZE: '2',
  CRON_POOL_SIZE: '1',
  WEBHOOK_ALLOW_PRIVATE: 'true',
};

/** The longest pause between two runs of a job is 5 s. */
const soon = { timeout: 15_000 };

/** Locks a table until it is released: a statement on it waits and keeps its connection. */
async function holding(databaseUrl: string, table: string) {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  const observer = new pg.Client({ connectionString: databaseUrl });
  await observer.connect();
  onTestFinished(async () => void (await Promise.all([holder.end(), observer.end()])));
  await holder.query(`begin; lock table ${table} in access exclusive mode`);
  return {
    /** How many connections wait for a lock; asked anew each time, which one transaction would not. */
    async waiting(): Promise<number> {
      const { rows } = await observer.query(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].waiting;
    },
    release: () => holder.query('rollback'),
  };
}

test('requests that use up their connections keep no job waiting, nor a job requests', async ({
  database: { databaseUrl },
  api,
  tenant,
}) => {
  const receiver = await aReceiver();
  await api('POST', '/webhooks', {
    webhook: { name: 'Hook', url: receiver.url, filterTypes: ['usage_meter.created'] },
  });
  const service = await startService({ ...settings, DATABASE_URL: databaseUrl });
  const get = (path: string) =>
    fetch(`${service.url}/api/v1${path}`, { headers: { authorization: tenant.key } });
  expect((await get('/resources')).status).toBe(200);

  const resources = await holding(databaseUrl, 'resource');
  const requests = Array.from({ length: 4 }, () => get('/resources'));
  await expect.poll(resources.waiting, soon).toBe(2);
  // Written by another process; a job of this one sends it.
  const usageMeter = { name: 'Calls', slug: 'calls' };
  expect((await api('POST', '/usage-meters', { usageMeter })).status).toBe(200);
  await receiver.until(1);
  expect(await resources.waiting()).toBe(2);
  await resources.release();
  for (const request of requests) expect((await request).status).toBe(200);

  // Each run of a job begins with a row here.
  const runs = await holding(databaseUrl, 'cron_run');
  await expect.poll(runs.waiting, soon).toBe(1);
  for (let times = 0; times < 3; times++) expect((await get('/resources')).status).toBe(200);
  expect(await runs.waiting()).toBe(1);
  await runs.release();
});
