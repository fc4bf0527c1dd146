import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delivered } from './delivered.ts';
import { createMember, type Member } from './member.ts';
import type { Programs } from './programs.ts';

interface PoolerOptions {
  readonly programs: Pick<Programs, 'pgbouncer' | 'env'>;
  /** The folder of its files, which everybody may read. */
  readonly folder: string;
  readonly port: number;
  /** The connections to the server; those of the delivered configuration when absent. */
  readonly connections?: number;
}

/** A PgBouncer in front of one database as `tollgate`, with the delivered configuration, that is not started yet. */
export async function createPooler(
  directUrl: string,
  { programs, folder, port, connections }: PoolerOptions,
): Promise<Member> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(directUrl);
  const users = path.join(folder, 'userlist.txt');
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const here: Record<string, string> = {
    tollgate: `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
    listen_port: String(port),
    auth_file: users,
    ...(connections && { default_pool_size: String(connections) }),
  };
  let text = await readFile(delivered('pgbouncer.ini'), 'utf8');
  for (const [key, value] of Object.entries(here)) {
    text = text.replace(new RegExp(`^${key} =.*$`, 'm'), `${key} = ${value}`);
  }
  const configuration = path.join(folder, 'pgbouncer.ini');
  await writeFile(configuration, text);
  return createMember({
    name: 'pgbouncer',
    folder,
    unprivileged: true,
    env: { ...programs.env },
    command: [...programs.pgbouncer, configuration],
  });
}
