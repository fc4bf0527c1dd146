import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { debianRelease, unpack } from '../../support/fleet/debian-packages.ts';
import { delivered } from '../../support/fleet/delivered.ts';
import { freePorts } from '../../support/fleet/free-ports.ts';
import { nobody, until } from '../../support/fleet/member.ts';
import { newestPostgres } from '../../support/fleet/programs.ts';
import { startService } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { templateKey } from '../../support/secrets.ts';

const release = await debianRelease();
const packages = release && (await unpack(release, 'pgbackrest', 'postgresql'));
const postgresFolder = packages && (await newestPostgres(packages));

const isRoot = process.getuid?.() === 0;

/** A PostgreSQL whose log goes to pgBackRest with the delivered configuration. */
async function anArchivedServer(packages: string, postgresFolder: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 9 }));
  const data = path.join(folder, 'data');
  for (const name of ['repository', 'socket']) await mkdir(path.join(folder, name));
  const env = {
    PATH: `${postgresFolder}:${path.join(packages, 'usr/bin')}:/usr/bin:/bin`,
    LD_LIBRARY_PATH: path.join(packages, 'usr/lib/x86_64-linux-gnu'),
    HOME: folder,
  };
  const run = async (program: string, ...args: string[]) => {
    const child = spawn(program, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: nobody, gid: nobody }),
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await once(child, 'exit');
    // A server keeps the output open.
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${(await output).join('')}`);
  };
  const [port = 0] = await freePorts(1);
  const here: Record<string, string> = {
    'repo1-path': path.join(folder, 'repository'),
    'pg1-path': data,
    'pg1-port': String(port),
    'pg1-socket-path': path.join(folder, 'socket'),
  };
  let settings = await readFile(delivered('pgbackrest.conf'), 'utf8');
  for (const [key, value] of Object.entries(here)) {
    settings = settings.replace(new RegExp(`^${key}=.*$`, 'm'), `${key}=${value}`);
  }
  const configuration = path.join(folder, 'pgbackrest.conf');
  await writeFile(configuration, `${settings}\n[global:archive-push]\nlock-path=${folder}\n`);
  if (isRoot) {
    for (const name of ['', 'repository', 'socket'])
      await chown(path.join(folder, name), nobody, nobody);
  }
  const backRest = (...args: string[]) =>
    run(
      'pgbackrest',
      `--config=${configuration}`,
      `--lock-path=${folder}`,
      '--stanza=tollgate',
      ...args,
    );
  await run('initdb', '-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust');
  const parameters = {
    port,
    unix_socket_directories: path.join(folder, 'socket'),
    archive_mode: 'on',
    archive_command: `pgbackrest --config=${configuration} --stanza=tollgate archive-push %p`,
    archive_timeout: 1,
  };
  const lines = Object.entries(parameters).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(path.join(data, 'postgresql.conf'), lines.join(''), { flag: 'a' });
  const control = (...args: string[]) =>
    run('pg_ctl', '-D', data, '-w', '-l', path.join(folder, 'log'), ...args);
  onTestFinished(() => control('stop', '-m', 'immediate').catch(() => undefined));
  return {
    databaseUrl: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    backRest,
    start: () => control('start'),
    stop: () => control('stop', '-m', 'fast'),
  };
}

async function ask(databaseUrl: string, sql: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(!packages || !postgresFolder)('With the log archived by pgBackRest', () => {
  test('a database is restored to an instant before a mistake, and its books agree', async () => {
    const server = await anArchivedServer(packages ?? '', postgresFolder ?? '');
    const { databaseUrl } = server;
    await server.start();
    const settings = { DATABASE_URL: databaseUrl, BOOTSTRAP_SECRET_KEY: templateKey, CRON: 'off' };
    const service = await startService(settings);
    const create = async (externalId: string) => {
      const customer = { externalId, name: externalId, email: `${externalId}@example.com` };
      const answer = await fetch(`${service.url}/api/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ customer }),
      });
      expect(answer.status).toBe(200);
    };
    await server.backRest('stanza-create');
    await create('before-the-backup');
    await server.backRest('--type=full', 'backup');
    const seconds = async () =>
      (await ask(databaseUrl, 'select extract(epoch from clock_timestamp())::float8 as now'))[0]
        .now;
    // The tool counts whole seconds, and the instant must be later than the end of the backup.
    const ended = await seconds();
    await until('another second', async () => (await seconds()) > ended + 2);
    await create('after-the-backup');
    const [{ instant }] = await ask(databaseUrl, 'select clock_timestamp()::text as instant');
    await create('the-mistake');
    const [{ name }] = await ask(databaseUrl, 'select pg_walfile_name(pg_switch_wal()) as name');
    await until('the archive to have the log', async () => {
      const [{ last }] = await ask(
        databaseUrl,
        'select last_archived_wal as last from pg_stat_archiver',
      );
      return last >= name;
    });
    service.kill('SIGTERM');
    await service.ended();
    await server.stop();

    const target = [`--target=${instant}`, '--target-action=promote'];
    await server.backRest('--type=time', ...target, '--delta', 'restore');
    await server.start();
    const names = () =>
      ask(databaseUrl, 'select external_id as id from customer order by created_at');
    await until('the end of the recovery', async () => {
      const [{ recovering }] = await ask(databaseUrl, 'select pg_is_in_recovery() as recovering');
      return !recovering;
    });
    expect(await names()).toEqual([{ id: 'before-the-backup' }, { id: 'after-the-backup' }]);
    const books = await runHere(['books'], settings);
    expect(books).toMatchObject({ code: 0, stderr: '2 customers checked, 0 with a difference\n' });
  });
});
