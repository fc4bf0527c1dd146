import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prepareDatabase } from '#server/database/database.ts';
import { serverVersionOf } from '#server/database/server-version.ts';
import { choosePostgres, newestOf } from '#server/embedded-postgres/choose-postgres.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { machineBuilds } from '#server/embedded-postgres/postgres-builds.ts';
import { dataFolder } from '../../support/process.ts';

const quiet = () => {};
const debian15 = '/usr/lib/postgresql/15/bin';

describe('the newest build', () => {
  const builds = [
    { major: 18, minor: 4, name: 'embedded' },
    { major: 18, minor: 4, name: 'same' },
    { major: 18, minor: 7, name: 'patched' },
    { major: 15, minor: 9, name: 'old' },
    { major: 15, minor: 20, name: 'old, patched' },
    { major: 14, minor: 23, name: 'ended' },
  ];
  test.for([
    ['of all for a new cluster', builds, undefined, 'patched'],
    ['of its major version for an existing one', builds, 15, 'old, patched'],
    ['is the first of equal ones', builds.slice(0, 2), undefined, 'embedded'],
    ['of a version that has ended runs its cluster still', builds, 14, 'ended'],
    ['of a version that has ended makes no new cluster', builds.slice(5), undefined, undefined],
    ['of another major version runs no cluster', builds, 17, undefined],
  ] as const)('%s', ([, found, major, name]) => {
    expect(newestOf(found, major)?.name).toBe(name);
  });
});

test('the folders of a machine are searched, and programs that do not run are left out', async () => {
  const folder = await dataFolder();
  await programs(path.join(folder, '18/bin'), 'echo "postgres (PostgreSQL) 18.7 (Debian 18.7-1)"');
  await programs(path.join(folder, '19/bin'), 'echo "postgres (PostgreSQL) 19beta1"');
  await programs(path.join(folder, '17/bin'), 'echo broken >&2; exit 1');
  await fs.mkdir(path.join(folder, '16/bin'), { recursive: true });
  const lines: string[] = [];
  const found = await machineBuilds((line) => lines.push(line), [path.join(folder, '*/bin')]);
  expect(found.map(({ major, minor }) => [major, minor]).toSorted()).toEqual([
    [18, 7],
    [19, 0],
  ]);
  expect(lines).toEqual([expect.stringMatching(/^The PostgreSQL in \S+17\/bin is left out: /)]);
});

describe('POSTGRES_BIN', () => {
  test('names the programs of a new cluster', async () => {
    const folder = await dataFolder();
    const bin = path.join(folder, 'bin');
    await programs(bin, 'echo "postgres (PostgreSQL) 19.1"');
    expect(await choosePostgres(path.join(folder, 'postgres'), bin, quiet)).toMatchObject({
      ...{ major: 19, minor: 1, build: 'machine' },
      binaries: { initdb: path.join(bin, 'initdb') },
    });
  });

  test('of another version than the cluster is refused', async () => {
    const folder = await dataFolder();
    await fs.mkdir(path.join(folder, 'postgres'));
    await fs.writeFile(path.join(folder, 'postgres/PG_VERSION'), '16\n');
    await expect(choosePostgres(path.join(folder, 'postgres'), 'embedded', quiet)).rejects.toThrow(
      /^DATA_DIR \S+ has a database of PostgreSQL 16, and there is only 18\.\d+ \(embedded\): install PostgreSQL 16, or set POSTGRES_BIN to the folder of its programs$/,
    );
  });

  test.for([
    ['14.23', 'PostgreSQL 15 or newer is needed, and there is only 14.23 ('],
    ['', 'No version of PostgreSQL can be read from postgres (PostgreSQL)'],
  ])('with the version "%s" is refused', async ([version, problem]) => {
    const bin = path.join(await dataFolder(), 'bin');
    await programs(bin, `echo "postgres (PostgreSQL) ${version}"`);
    await expect(choosePostgres('/none', bin, quiet)).rejects.toThrow(problem);
  });

  test('without a program is refused', async () => {
    const bin = await dataFolder();
    await expect(choosePostgres('/none', bin, quiet)).rejects.toThrow(
      `POSTGRES_BIN ${bin} has no postgres: set it to a folder with initdb, postgres and pg_ctl`,
    );
  });

  test('starts the PostgreSQL of this machine, with all tables', async ({ skip }) => {
    skip(!existsSync(path.join(debian15, 'initdb')), 'this machine has no PostgreSQL 15');
    const dataDir = await dataFolder();
    // The programs of version 15 need a folder whose path they may follow.
    await fs.chmod(dataDir, 0o711);
    const reports: string[] = [];
    await using postgres = await startEmbeddedPostgres({
      ...{ dataDir, durable: false, postgresBin: debian15 },
      report: (line) => reports.push(line),
    });
    await prepareDatabase(postgres.databaseUrl, { now: new Date() });
    const client = new pg.Client({ connectionString: postgres.databaseUrl });
    onTestFinished(() => client.end().catch(quiet));
    await client.connect();
    const { rows } = await client.query(
      `select lower('ÄÖ') as lower, 'Z' < 'a' as "byCodePoint", current_setting('data_checksums') as checksums,
         current_setting('tollgate.build') as build, (select count(*)::int from organization) as organizations`,
    );
    expect(rows).toEqual([
      { lower: 'äö', byCodePoint: true, checksums: 'on', build: 'machine', organizations: 1 },
    ]);
    expect(reports).toEqual([
      expect.stringMatching(/^Making the database folder \S+ with PostgreSQL 15\.\d+$/),
      expect.stringMatching(/^Starting PostgreSQL 15\.\d+ \(\/usr\/lib\/postgresql\/15\/bin\)$/),
    ]);
    await client.end();
  });
});

test('a server states its version, its build, and a newer release that is known', () => {
  const of = (serverNumber: number, serverBuild: string | null) =>
    serverVersionOf({ serverNumber, serverBuild });
  expect(of(180_004, 'embedded')).toEqual({ version: '18.4', build: 'embedded', newer: '18.7' });
  expect(of(180_009, 'machine')).toEqual({ version: '18.9', build: 'machine' });
  expect(of(170_001, null)).toEqual({ version: '17.1', build: 'external' });
});

/** Programs that execute a script of a shell. */
async function programs(folder: string, script: string) {
  await fs.mkdir(folder, { recursive: true });
  for (const name of ['postgres', 'initdb', 'pg_ctl']) {
    await fs.writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}
