import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { connect } from '#server/database/database.ts';
import { restoreInto } from '../../src/tools/backup/restore-into.ts';
import { writeBackup } from '../../src/tools/backup/write-backup.ts';
import { anAdjustable } from '../support/adjustments.ts';
import { emptyUrl, preparedUrl } from '../support/database.ts';
import { aCustomer, fresh } from '../support/factories.ts';
import { expectLedgersToAgree } from '../support/ledger.ts';
import { expectMoneyToAgree } from '../support/money.ts';
import { dataFolder, startService } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { templateKey } from '../support/secrets.ts';
import { systemTest as test } from '../support/test.ts';

async function aFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'backup.tar.gz');
}

async function connectTo(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const into = (databaseUrl: string) => ({ databaseUrl, config: {} as never });

test('a backup that is taken while others write restores as of one instant, and the feed continues', async ({
  database,
  tenant,
  session,
}) => {
  const it = await anAdjustable(session);
  await it.toDay(31);
  let isWritten = false;
  const writing = (async () => {
    let count = 0;
    for (; !isWritten; count++) await aCustomer(fresh(session));
    return count;
  })();
  // Another server has its own numbers of transactions, which may be far ahead.
  await session.em.execute(
    `update event set transaction_id = (9000000000000 + position)::text::xid8
     where sequence is null and organization_id = ?`,
    [session.organizationId],
  );
  const file = await aFile();
  const { rows } = await writeBackup(database.databaseUrl, file, new Date());
  isWritten = true;
  expect(await writing).toBeGreaterThan(0);
  expect(rows).toBeGreaterThan(100);

  const restoredUrl = await emptyUrl();
  const sentence = await restoreInto(into(restoredUrl), file);
  expect(sentence).toMatch(new RegExp(`^${rows} rows of \\d+ tables .* 0 with a difference$`));
  const orm = await connect({ databaseUrl: restoredUrl, poolSize: 4 });
  onTestFinished(() => orm.close(true));
  const { em: _, apiKeyId, ...scope } = session;
  const restored = openSession(orm.em.fork(), { ...scope, now: new Date() }, apiKeyId);
  await expectMoneyToAgree(fresh(restored));
  await expectLedgersToAgree(fresh(restored));
  const owner = { organizationId: session.organizationId, livemode: false };
  await sequenceEvents(orm.em.fork(), owner);
  const last = async () => {
    const [row] = await orm.em
      .fork()
      .execute<{ last: number; open: number }[]>(
        `select max(sequence)::int as last, (count(*) - count(sequence))::int as open from event where organization_id = ?`,
        [session.organizationId],
      );
    return row;
  };
  const before = await last();
  expect(before?.open).toBe(0);
  const customer = { externalId: 'after', name: 'After', email: 'after@example.com' };
  await createCustomer(fresh(restored), { customer });
  await sequenceEvents(orm.em.fork(), owner);
  const after = await last();
  expect([after?.open, (after?.last ?? 0) > (before?.last ?? 0)]).toEqual([0, true]);
  expect(tenant.key).toBeDefined();
});

test('months of usage events are restored as they were, attached and detached', async ({
  session,
  database,
}) => {
  const source = await connectTo(database.databaseUrl);
  const months = ['2024-01-01', '2024-02-01'];
  for (const month of months) await source.query('select add_usage_event_month($1)', [month]);
  await source.query(`select detach_usage_event_month('usage_event_2024_01')`);
  const file = await aFile();
  await writeBackup(database.databaseUrl, file, session.now);
  const restoredUrl = await emptyUrl();
  await restoreInto(into(restoredUrl), file);
  const question = `select c.relname as name, exists (select from pg_inherits where inhrelid = c.oid) as attached
    from pg_class c where relname like 'usage\\_event\\_20%' and relkind = 'r' order by 1`;
  const of = async (client: pg.Client) => (await client.query(question)).rows;
  const restored = await of(await connectTo(restoredUrl));
  expect(restored).toEqual(await of(source));
  expect(restored.filter(({ attached }) => !attached)).toEqual([
    { name: 'usage_event_2024_01', attached: false },
  ]);
});

test('a damaged or foreign file, and a database with data, are refused, and nothing is restored', async ({
  database,
  session,
}) => {
  await aCustomer(session);
  const file = await aFile();
  await writeBackup(database.databaseUrl, file, session.now);
  const targetUrl = await emptyUrl();
  const refusal = async (change: (content: Buffer) => Buffer, target = targetUrl) => {
    const changed = await aFile();
    await writeFile(changed, change(await readFile(file)));
    return restoreInto(into(target), changed).then(
      () => 'restored',
      (error: Error) => `${error.name}: ${error.message.replaceAll(changed, 'FILE')}`,
    );
  };
  const [migration] = await session.em.execute<{ name: string }[]>(
    'select name from mikro_orm_migrations order by name desc limit 1',
  );
  const last = migration?.name ?? '';
  const replaced = (from: string, to: string) => (content: Buffer) =>
    gzipSync(Buffer.from(gunzipSync(content).toString('latin1').replace(from, to), 'latin1'));
  const half = (content: Buffer) => content.subarray(0, content.length / 2);
  expect(await refusal(half)).toMatch(
    /^ConfigError: FILE cannot be read as a backup: unexpected end of file$/,
  );
  expect(await refusal(() => Buffer.from('text'))).toMatch(
    /^ConfigError: FILE cannot be read as a backup: /,
  );
  expect(await refusal(() => gzipSync(''))).toBe(
    'ConfigError: FILE is not a backup of this service',
  );
  expect(await refusal(replaced(`"${last}"`, `"${last.replace(/.$/, '9')}"`))).toMatch(
    /^ConfigError: FILE is of version \S+ with the last migration Migration\d+9, .* restore it with that version, and start this one afterwards$/,
  );
  expect(await refusal(replaced('@example.com', '@exbmple.com'))).toMatch(
    /^ConfigError: The table \w+ differs from the backup: /,
  );
  expect(await refusal((content) => content, await preparedUrl())).toBe(
    'ConfigError: The database has data already: name an empty database',
  );
  expect(await restoreInto(into(targetUrl), file)).toContain(' 0 with a difference');
  await expect(writeBackup(database.databaseUrl, file, session.now)).rejects.toThrow(
    'exists already: name a new file',
  );
});

test('the programs back up an embedded database while its process runs, verify it, and restore it into a new folder', async () => {
  const DATA_DIR = await dataFolder();
  const service = await startService({ DATA_DIR, BOOTSTRAP_SECRET_KEY: templateKey });
  const headers = { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' };
  const customer = { externalId: 'ada', name: 'Ada', email: 'ada@example.com' };
  await fetch(`${service.url}/api/v1/customers`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ customer }),
  });
  const file = await aFile();
  const written = await runHere(['backup', file, '--verify'], { DATA_DIR });
  expect(written).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      / rows of \d+ tables in \d+ KiB\nVerified: \d+ rows of .* 0 with a difference\n$/,
    ),
  });
  const refused = await runHere(['restore', file], { DATA_DIR });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by another'),
  });
  const other = { DATA_DIR: await dataFolder() };
  const lacking = { ...other, SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') };
  expect(
    await runHere(['restore', file], { ...lacking, DATA_DIR: await dataFolder() }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^SECRETS_KEY lacks the key [0-9a-f]{8}, /),
  });
  expect(await runHere(['restore', file], other)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored: .* 0 with a difference\n$/),
  });
  const restored = await startService(other);
  const found = await fetch(`${restored.url}/api/v1/customers/ada`, { headers });
  expect((await found.json()).customer.name).toBe('Ada');
  for (const [args, says] of [
    [['backup'], 'The name of a file is missing'],
    [['backup', 'a', 'b'], 'There is no argument b'],
    [['restore', 'a', '--verify'], 'Each restore is verified'],
    [['restore', 'nothing.tar.gz'], 'cannot be read as a backup'],
  ] as const) {
    const { code, stderr } = await runHere(args, { DATABASE_URL: await emptyUrl() });
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  }
});
