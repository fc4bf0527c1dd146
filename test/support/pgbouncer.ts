import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { commandIn, unpack } from './debian-packages.ts';
import { freePort } from './free-port.ts';

/** The real PgBouncer; undefined where it cannot be had. Debian 12 has 1.18, which knows no named statements. */
export const pgbouncer = await unpack('forky', 'pgbouncer');

const nobody = 65_534;

/** A PgBouncer with the delivered configuration in front of one database. */
export interface Pooler {
  /** The address of the database through the pooler. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a PgBouncer with `connections` to the server; it does not outlive the test. */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  if (!pgbouncer) throw new Error('There is no PgBouncer');
  const [command, ...args] = commandIn(pgbouncer, 'usr/sbin/pgbouncer');
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-pgbouncer-'));
  await chmod(folder, 0o755);
  const [user, password] = [target.username, target.password].map(decodeURIComponent);
  await writeFile(path.join(folder, 'userlist.txt'), `"${user}" "${password}"\n`);
  const delivered = await readFile(
    path.resolve(import.meta.dirname, '../../src/deploy/pgbouncer.ini'),
    'utf8',
  );
  const here: Record<string, string> = {
    listen_port: String(port),
    auth_file: path.join(folder, 'userlist.txt'),
    default_pool_size: String(connections),
    tollgate: `host=${target.hostname} port=${target.port} dbname=${name}`,
  };
  const settings = Object.entries(here).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key} =.*$`, 'm'), `${key} = ${value}`),
    delivered,
  );
  await writeFile(path.join(folder, 'pgbouncer.ini'), settings);
  let child: ChildProcess | undefined;
  const pooler = {
    databaseUrl: Object.assign(new URL(databaseUrl), { port: String(port), pathname: '/tollgate' })
      .href,
    async start() {
      // It refuses to run as root.
      const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
      child = spawn(command, [...args, '-q', path.join(folder, 'pgbouncer.ini')], {
        stdio: ['ignore', 'ignore', 'inherit'],
        ...as,
      });
      await listening(port);
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  onTestFinished(async () => {
    await pooler.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await pooler.start();
  return pooler;
}

/** Waits until a program listens on a port. */
async function listening(port: number) {
  for (let attempt = 1; ; attempt++) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      socket.destroy();
    }
  }
}
