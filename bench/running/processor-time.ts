import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** The clock ticks of a second in `/proc`, which Linux fixes for programs. */
export const ticks = 100;

/** Returns a function that reads the processor seconds that all processes of a local database have used. */
export async function processorTimeOf(databaseUrl: string): Promise<() => number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const { parent: server } = statOf(rows[0].pid) ?? { parent: 0 };
  await client.end();
  return () => {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    let sum = statOf(String(server))?.ended ?? 0;
    for (const pid of pids) {
      const stat = statOf(pid);
      if (stat && (stat.parent === server || Number(pid) === server)) sum += stat.own;
    }
    return sum / ticks;
  };
}

/** The parent of a process, its own ticks and those of its children that have ended; undefined where it has ended. */
export function statOf(pid: string | number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
