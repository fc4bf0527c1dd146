import { readFile, rename, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { ConfigError } from '#config';
import { routeOf } from '#domain/platform/access/key-route.ts';
import type { CellClient } from './cell-database.ts';

/** One line of the map: a part of a key, its digest, or a host; and the cell. */
export interface MapLine {
  readonly key: string;
  readonly cell: string;
}

/**
 * The lines that lead an organization to a cell: one for all keys that name its route, and one for the SHA-256 of each
 * key, for those without a route: older keys, and the one of BOOTSTRAP_SECRET_KEY. Then one for each host.
 */
export async function mapLines(
  client: CellClient,
  organizationId: string,
  cell: string,
  hosts: readonly string[],
): Promise<MapLine[]> {
  const route = routeOf(organizationId);
  const { rows } = await client.query<{ hash: string }>(
    'select hash_text as hash from api_key where organization_id = $1 and active order by 1',
    [organizationId],
  );
  return [route, ...rows.map(({ hash }) => hash), ...hosts].map((key) => ({ key, cell }));
}

/** Writes lines into a map file, and replaces those of the same keys. */
export async function writeMap(file: string, lines: readonly MapLine[]) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new ConfigError(`--map ${file} cannot be read: ${error.message}`);
  });
  const keys = new Set(lines.map(({ key }) => key));
  const others = text.split('\n').filter((line) => line && !keys.has(line.split(/\s/)[0] ?? ''));
  const own = lines.map(({ key, cell }) => `${key} ${cell}`);
  try {
    await writeFile(`${file}.new`, `${[...others, ...own].join('\n')}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new ConfigError(`--map ${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Sets lines in the map of a running HAProxy. Errors: ConfigError with its answer. */
export async function tellHaproxy(socket: string, file: string, lines: readonly MapLine[]) {
  for (const { key, cell } of lines) {
    const known = await command(socket, `get map ${file} ${key}`);
    const verb = /\bfound=yes\b/.test(known) ? 'set' : 'add';
    const answer = (await command(socket, `${verb} map ${file} ${key} ${cell}`)).trim();
    if (answer !== '') throw new ConfigError(`HAProxy has refused ${verb} map ${file}: ${answer}`);
  }
}

function command(path: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect({ path }, () => socket.end(`${text}\n`));
    socket.setTimeout(5_000, () => socket.destroy(new Error('it does not answer')));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) =>
      reject(new ConfigError(`--haproxy ${path} cannot be used: ${error.message}`)),
    );
  });
}
