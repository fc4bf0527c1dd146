import { chown, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { createMember, type Member, nobody, until } from './member.ts';
import type { Programs } from './programs.ts';
import { sendSignal } from './send-signal.ts';

const passwords = {
  PATRONI_SUPERUSER_PASSWORD: 'fake_superuser_password',
  PATRONI_REPLICATION_PASSWORD: 'fake_replication_password',
  PATRONI_REWIND_PASSWORD: 'fake_rewind_password',
};
const servicePassword = 'fake_service_password';

/** A PostgreSQL under Patroni. */
export interface DatabaseMember extends Member {
  readonly port: number;
  /** The port on which Patroni states what its PostgreSQL is. */
  readonly statePort: number;
  /** The processes that a crash of the machine would end: Patroni, PostgreSQL and its backends. */
  processIds(): Promise<number[]>;
  /** `leader`, `sync_standby` or `replica`; undefined while it is none of them. */
  role(): Promise<string | undefined>;
}

interface Place {
  readonly programs: Programs;
  readonly folder: string;
  /** The delivered file `patroni.yml`. */
  readonly configuration: string;
  readonly etcdPort: number;
}

/** A PostgreSQL under Patroni that is not started yet. `ports` are its own and that of its state. */
export async function createDatabase(
  name: string,
  [port, statePort]: readonly [number, number],
  { programs, folder, configuration, etcdPort }: Place,
): Promise<DatabaseMember> {
  const home = path.join(folder, name);
  await mkdir(home);
  if (process.getuid?.() === 0) await chown(home, nobody, nobody);
  const member = createMember({
    name,
    command: [...programs.patroni, configuration],
    folder,
    unprivileged: true,
    env: {
      ...programs.env,
      ...passwords,
      HOME: home,
      PGPASSFILE: path.join(home, 'pgpass'),
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${statePort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${statePort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: path.join(home, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgresFolder,
      PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
    },
  });
  const processIds = async () => {
    const server = await serverOf(path.join(home, 'data'));
    return [member.processId(), ...server].filter((id) => id !== undefined);
  };
  return {
    ...member,
    port,
    statePort,
    processIds,
    async kill() {
      const ids = await processIds();
      // PostgreSQL has a session of its own, which survives Patroni.
      for (const id of ids.slice(1)) sendSignal(id, 'SIGKILL');
      await member.kill();
    },
    async role() {
      const own = (await membersAt(statePort)).find((each) => each.name === name);
      return own && ['running', 'streaming'].includes(own.state) ? own.role : undefined;
    },
  };
}

interface PatroniMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** The members that a Patroni knows; none while it does not answer, as one that is killed or stopped. */
async function membersAt(port: number): Promise<readonly PatroniMember[]> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal });
    if (!answer.ok) return [];
    return ((await answer.json()) as { members: PatroniMember[] }).members;
  } catch {
    // It is asked again until it answers.
    return [];
  }
}

/** The server of a folder and its backends; none while it does not run. */
export async function serverOf(data: string): Promise<number[]> {
  // A server that has ended has neither file.
  const file = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const [line = ''] = file.split('\n');
  if (!/^\d+$/.test(line)) return [];
  const children = await readFile(`/proc/${line}/task/${line}/children`, 'utf8').catch(() => '');
  return [line, ...children.split(' ').filter(Boolean)].map(Number);
}

/** Waits until a leader and a synchronous standby are there. */
export const synchronous = (databases: readonly DatabaseMember[]) =>
  until('a leader and a synchronous standby', async () => {
    const roles = await Promise.all(databases.map((each) => each.role()));
    const leader = databases[roles.indexOf('leader')];
    return roles.includes('sync_standby') && leader;
  });

/** Makes the role and the database of the service, as the guide of the database describes. Returns the address. */
export async function foundDatabase(port: number): Promise<string> {
  const password = passwords.PATRONI_SUPERUSER_PASSWORD;
  const administrator = `postgresql://postgres:${password}@127.0.0.1:${port}`;
  await over(`${administrator}/postgres`, [
    // An organization can move to another cell with the right to replicate.
    `create role tollgate login replication password '${servicePassword}'`,
    'alter role tollgate set log_min_error_statement = panic',
    'create database tollgate owner tollgate',
  ]);
  await over(`${administrator}/tollgate`, ['create extension btree_gist']);
  return `postgresql://tollgate:${servicePassword}@127.0.0.1:${port}/tollgate`;
}

async function over(databaseUrl: string, statements: readonly string[]) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
