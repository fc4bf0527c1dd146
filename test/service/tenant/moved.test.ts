import { expect, onTestFinished } from 'vitest';
import { setAbsent } from '#domain/kernel/absent-organizations.ts';
import { CheckedPool } from '#server/database/pool.ts';
import { watchReadiness } from '#server/health/readiness.ts';
import { createLogger } from '#server/observability/logger.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('its organization leaves the database');

test('an organization that has moved gets 503 for a minute, then 421 with the name of its cell', async ({
  api,
  graphql,
  session: { organizationId, em },
  database: { databaseUrl, orm },
}) => {
  const move = (age: string) =>
    em.execute(
      `insert into organization_move (organization_id, state, cell, changed_at)
       values (?, 'moved', 'two', now() - ?::interval)
       on conflict (organization_id) do update set changed_at = excluded.changed_at`,
      [organizationId, age],
    );
  const pool = new CheckedPool({ connectionString: databaseUrl, max: 1 });
  const readiness = await watchReadiness({
    ...{ databaseUrl, pool, logger: createLogger('silent'), stuckSeconds: 60 },
    onStuck() {},
    onAbsent: (organizations) => setAbsent(orm.em, organizations),
  });
  onTestFinished(async () => {
    await readiness[Symbol.asyncDispose]();
    await pool.end();
    setAbsent(orm.em, new Map());
  });
  const status = async () => (await api('GET', '/customers')).status;
  const soon = { timeout: 10_000 };
  await move('30 seconds');
  await expect.poll(status, soon).toBe(503);
  expect((await api('GET', '/customers')).headers.get('retry-after')).toBe('1');
  await move('61 seconds');
  await expect.poll(status, soon).toBe(421);
  const message =
    'The organization has moved to the cell two: send its requests to the address of that cell';
  const { body, headers } = await api('GET', '/customers');
  expect(body).toEqual({ code: 'MISDIRECTED', message, issues: [] });
  expect(headers.has('retry-after')).toBe(false);
  expect(await graphql('{ customers { totalCount } }')).toMatchObject({
    errors: [{ message, extensions: { code: 'MISDIRECTED' } }],
  });
});
