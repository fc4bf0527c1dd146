// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { preparedUrl } from '../../support/database.ts';
import { spawnProgram, startService } from '../../support/process.ts';
import { systemTest as test } from '../../support/test.ts';

/** The start itself, and jobs that were missed. */
const firstMilliseconds = 20_000;
const measuredSeconds = 60;

async function observe(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return async () => {
    const { rows } = await client.query(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.n);
  };
}

/** The transactions a second of processes that nothing asks, once they have started. */
async function idleRate(databaseUrl: string) {
  const transactions = await observe(databaseUrl);
  await sleep(firstMilliseconds);
  const before = await transactions();
  await sleep(measuredSeconds * 1_000);
  return ((await transactions()) - before) / measuredSeconds;
}

test('an idle service asks the database less than once a second, and so do two processes of it each', async () => {
  const [one, two] = [await preparedUrl(), await preparedUrl()];
  await startService({ DATABASE_URL: one });
  await startService({ DATABASE_URL: two, CRON: 'off' });
  spawnProgram(['src/main.ts', 'cron'], { DATABASE_URL: two });
  const [alone, together] = await Promise.all([idleRate(one), idleRate(two)]);
  process.stdout.write(`Idle: ${alone.toFixed(2)} and ${together.toFixed(2)} a second\n`);
  expect(alone).toBeLessThan(1);
  expect(together).toBeLessThan(2);
});
