import pg from 'pg';
import { expect } from 'vitest';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { dataFolder, runToEnd } from '../../support/process.ts';
import { aSmallDisk, noDiskReason } from '../../support/servers/small-disk.ts';
import { systemTest as test } from '../../support/test.ts';

const reason = await noDiskReason();
if (reason) process.stdout.write(`The test of a start on a full disk is skipped: ${reason}\n`);

/** Runs statements in the database of a folder, which no process uses. */
async function change(dataDir: string, sql: string) {
  await using postgres = await startEmbeddedPostgres({ dataDir });
  const client = new pg.Client({ connectionString: postgres.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('a start on a database of a newer version names the folder that has it', async () => {
  const DATA_DIR = await dataFolder();
  await change(
    DATA_DIR,
    `create table mikro_orm_migrations (id serial, name text, executed_at timestamptz default now());
     insert into mikro_orm_migrations (name) values ('Migration20270114010000'), ('Migration29990101000000');
     grant all on mikro_orm_migrations to public`,
  );
  for (const program of [['src/main.ts'], ['src/tollgate.ts', 'keys', 'list']]) {
    const { code, stderr } = await runToEnd(program, { DATA_DIR });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `DATA_DIR ${DATA_DIR} belongs to a newer version of the service, which has applied Migration29990101000000: start that version or a later one\n`,
    });
  }
});

test.skipIf(reason)(
  'a start on a full disk prints one line, and starts once there is room',
  async () => {
    const DATA_DIR = await dataFolder();
    await using disk = await aSmallDisk(DATA_DIR);
    await change(DATA_DIR, 'select 1');
    await disk.fill();
    const { code, stderr } = await runToEnd(['src/main.ts'], { DATA_DIR });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The disk is full: .*\n$/);
    await disk.clear();
    await change(DATA_DIR, 'select 1');
  },
);
