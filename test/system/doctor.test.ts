import { expect } from 'vitest';
import { readConfig } from '#config';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import type { Finding } from '../../src/tools/doctor/finding.ts';
import { runDoctor } from '../../src/tools/doctor/run-doctor.ts';
import { emptyUrl, preparedUrl } from '../support/database.ts';
import { aCustomer } from '../support/factories.ts';
import { dataFolder, startService } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { testSecretsKey } from '../support/secrets.ts';
import { systemTest as test } from '../support/test.ts';

async function findingsOf(settings: Record<string, string>) {
  const findings: Finding[] = [];
  const config = readConfig({ SECRETS_KEY: testSecretsKey, ...settings });
  await runDoctor(config, (finding) => void findings.push(finding));
  return findings;
}

const texts = (findings: readonly Finding[], level: Finding['level']) =>
  findings.filter((finding) => finding.level === level).map(({ found }) => found);

test('an installation without problems has none, while its process runs, and nothing is changed', async () => {
  const DATA_DIR = await dataFolder();
  const service = await startService({ DATA_DIR });
  const { code, stdout, stderr } = await runHere(['doctor'], { DATA_DIR });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ok {6}PostgreSQL 18\.\d+ \(embedded\)$/m);
  expect(stdout).toMatch(/^ok {6}All \d+ migrations are applied$/m);
  expect(stdout).toMatch(/\n\d+ ok, \d+ warnings, 0 errors\n$/);
  const ready = await fetch(`${service.url}/ready`);
  expect(ready.status).toBe(200);
  const version = expect.stringMatching(/^18\.\d+$/);
  expect((await ready.json()).postgres).toMatchObject({ version, build: 'embedded' });
});

test('each problem of the rows is named with a way to repair it', async ({ database, session }) => {
  const { em } = session;
  const customer = await aCustomer(session);
  em.create(BookDifference, { customer: customer.id, currency: 'USD', difference: 1 });
  await em.flush();
  await em.execute(
    `update event set recorded_at = now() - interval '1 hour' where sequence is null and organization_id = ?`,
    [session.organizationId],
  );
  for (const [nth, job] of [
    'expire-claims',
    'purge-events',
    'purge-events',
    'purge-events',
  ].entries())
    await em.execute(
      `insert into cron_run (id, job, created_at, finished_at, error) values (?, ?, now(), now(), 'JOB_FAILED fake')`,
      [`${job} doctor ${nth}`, job],
    );
  const findings = await findingsOf({ DATABASE_URL: database.databaseUrl });
  expect(texts(findings, 'error')).toEqual(
    expect.arrayContaining([
      'The books of 1 customers do not agree',
      'The job purge-events has failed 3 times within an hour',
    ]),
  );
  expect(texts(findings, 'warning')).toEqual(
    expect.arrayContaining([
      'The oldest event without a place in its feed is 60 minutes old',
      // A job that fails now and then is tried again.
      'The job expire-claims has failed once within an hour',
    ]),
  );
  expect(findings.filter(({ level, advice }) => level !== 'ok' && !advice)).toEqual([]);
  const otherKey = Buffer.alloc(32, 5).toString('base64');
  const other = await findingsOf({ DATABASE_URL: await preparedUrl(), SECRETS_KEY: otherKey });
  expect(texts(other, 'error')).toContainEqual(
    expect.stringMatching(/^SECRETS_KEY lacks the key /),
  );
  expect(texts(other, 'warning')).toContain('No scheduled job has run within 25 hours');
});

test('problems of the settings, the server and the schema are named', async ({ database }) => {
  const unsafe = await findingsOf({ DATABASE_URL: database.databaseUrl, HOST: '0.0.0.0' });
  // The server of the tests gives up safety for speed, and its role is its administrator.
  expect(texts(unsafe, 'error')).toEqual(
    expect.arrayContaining([
      'HOST 0.0.0.0 can be reached from other machines with NODE_ENV=development',
      'fsync is off: a crash loses what was acknowledged',
    ]),
  );
  expect(texts(unsafe, 'warning')).toContain('The role of the service is a superuser');
  const production = await findingsOf({
    NODE_ENV: 'production',
    DATABASE_URL: await emptyUrl(),
    PUBLIC_URL: 'http://billing.example.com',
    DRAIN_SECONDS: '0',
  });
  expect(texts(production, 'warning')).toEqual(
    expect.arrayContaining([
      'PUBLIC_URL http://billing.example.com is not encrypted',
      'METRICS_TOKEN is not set, so Prometheus cannot read /metrics',
      'The database is empty',
    ]),
  );
  await database.orm.em.execute(
    `insert into mikro_orm_migrations (name) values ('Migration20991231000000')`,
  );
  const newer = await findingsOf({ DATABASE_URL: database.databaseUrl });
  expect(texts(newer, 'error')).toContain(
    'A newer version has migrated the database: Migration20991231000000',
  );
  await database.orm.em.execute(`delete from mikro_orm_migrations where name like '%2099%'`);
});

test('a database that cannot be used is one error, and ends the program with 1', async () => {
  const DATABASE_URL = 'postgresql://tollgate:secret@127.0.0.1:1/tollgate';
  const { code, stdout } = await runHere(['doctor'], { DATABASE_URL });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^error {3}DATABASE_URL 127\.0\.0\.1:1\/tollgate cannot be used: .*\n {8}→ /m,
  );
  expect(stdout).not.toContain('secret@');
});
