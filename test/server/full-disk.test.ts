import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { aKey } from '../faults/caller.ts';
import { fresh } from '../support/factories.ts';
import { expectLedgersToAgree } from '../support/ledger.ts';
import { expectMoneyToAgree } from '../support/money.ts';
import { test } from '../support/test.ts';

const run = promisify(execFile);
const isPossible = await canMount();
if (!isPossible) process.stdout.write('The test of a full disk is skipped: it needs to mount\n');

describe.skipIf(!isPossible)('a full disk', () => {
  test('is 503 for changes until there is room, each answer is kept, and a repeat is executed once', async ({
    api,
    session,
    database,
  }) => {
    await using disk = await aSmallDisk(database.databaseUrl);
    const customer = (name: string) => ({
      customer: { externalId: name, name, email: 'ada@example.com' },
    });
    await disk.fill();
    const create = (name: string, key: string) =>
      api('POST', '/customers', customer(name), { headers: { 'idempotency-key': key } });
    const done: string[] = [];
    let failed: { readonly name: string; readonly key: string } | undefined;
    for (let place = 0; !failed && place < 2_000; place++) {
      const [name, key] = [`c${place}`, aKey()];
      const { status, headers } = await create(name, key);
      if (status === 200) done.push(name);
      else {
        expect([status, headers.has('retry-after')]).toEqual([503, true]);
        failed = { name, key };
      }
    }
    expect(failed).toBeDefined();
    expect((await api('GET', '/customers?limit=1')).status).toBe(200);
    const { name = '', key = '' } = failed ?? {};
    expect((await create(name, key)).status).toBe(503);
    await disk.clear();
    const answers = await Promise.all([create(name, key), create(name, key)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await create(name, key)).status).toBe(200);
    const { em, pricingModelId } = fresh(session);
    const rows = await em.execute<{ name: string }[]>(
      'select external_id as name from customer where pricing_model_id = ? order by position',
      [pricingModelId],
    );
    expect(rows.map(({ name }) => name)).toEqual([...done, name]);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });
});

async function canMount(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return run('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).then(
    () => true,
    () => false,
  );
}

/** The tables that a new customer is written into are on a disk of their own. */
const tables = ['customer', 'event', 'idempotency_key'];

async function aSmallDisk(databaseUrl: string) {
  await using opened = new AsyncDisposableStack();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  opened.defer(() => client.end());
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-disk-'));
  opened.defer(() => rm(folder, { recursive: true }));
  await run('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'tmpfs', folder]);
  opened.defer(async () => void (await run('umount', [folder])));
  const { rows } = await client.query<{ data: string }>(
    `select current_setting('data_directory') as data`,
  );
  const { uid, gid } = await stat(rows[0]?.data ?? '');
  await chown(folder, uid, gid);
  const space = `small_${crypto.randomUUID().slice(0, 8)}`;
  await client.query(`create tablespace ${space} location '${folder}'`);
  opened.defer(async () => void (await client.query(`drop tablespace ${space}`)));
  const moveTables = async (to: string) => {
    for (const table of tables) await client.query(`alter table ${table} set tablespace ${to}`);
  };
  opened.defer(() => moveTables('pg_default'));
  await moveTables(space);
  const filler = path.join(folder, 'filler');
  const kept = opened.move();
  return {
    /** Leaves no room. */
    fill: () => writeFile(filler, Buffer.alloc(32 * 1024 * 1024)).catch(() => undefined),
    clear: () => rm(filler),
    async [Symbol.asyncDispose]() {
      await rm(filler, { force: true });
      await kept.disposeAsync();
    },
  };
}
