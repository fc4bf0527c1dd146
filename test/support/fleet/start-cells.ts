import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programUrl } from '#root';
import { delivered } from './delivered.ts';
import { freePorts } from './free-ports.ts';
import { createMember, listening, type Member, until } from './member.ts';
import type { Command } from './programs.ts';

export interface CellsOptions {
  readonly haproxy: Command;
  /** An empty folder for the data and the logs. */
  readonly folder: string;
  /** The port of the service; a free one when absent. */
  readonly port?: number;
  /** Further settings of the processes of both cells, such as their common SECRETS_KEY. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The keys of the organizations that the cells are founded with. */
  readonly keys: readonly [one: string, two: string];
}

/** A process of the service with its embedded PostgreSQL. */
interface CellMember extends Member {
  readonly cell: string;
  readonly url: string;
  /** The folder of its embedded PostgreSQL. */
  readonly dataDir: string;
}

/** Two cells behind HAProxy on one machine. */
export interface RunningCells extends AsyncDisposable {
  /** The address of the service, which HAProxy leads to the cell of each request. */
  readonly url: string;
  readonly cells: readonly [CellMember, CellMember];
  /** The map of HAProxy, and its socket for commands. */
  readonly map: string;
  readonly socket: string;
}

/**
 * Starts two processes with an embedded PostgreSQL each, and HAProxy with the delivered configuration before them.
 * Everything ends with the cells.
 */
export async function startCells({
  haproxy,
  folder,
  keys,
  port,
  settings = {},
}: CellsOptions): Promise<RunningCells> {
  await using opened = new AsyncDisposableStack();
  const [portOfOne = 0, portOfTwo = 0, free = 0] = await freePorts(3);
  const servicePort = port ?? free;
  const cells = [
    createCell('one', portOfOne, folder, { ...settings, BOOTSTRAP_SECRET_KEY: keys[0] }),
    createCell('two', portOfTwo, folder, { ...settings, BOOTSTRAP_SECRET_KEY: keys[1] }),
  ] as const;
  const started = (member: Member) => {
    member.start();
    opened.defer(() => member.stop());
  };
  for (const cell of cells) started(cell);
  const map = path.join(folder, 'cells.map');
  // The key of a founding has no route, so its digest leads it.
  await writeFile(map, `${await digestOf(keys[1])} two\n`);
  const proxy = createCellsProxy({
    command: haproxy,
    folder,
    map,
    port: servicePort,
    cells: [`127.0.0.1:${portOfOne}`, `127.0.0.1:${portOfTwo}`],
  });
  started(proxy);
  await listening('HAProxy', servicePort);
  const url = `http://127.0.0.1:${servicePort}`;
  for (const key of keys) {
    await until('HAProxy to find the cells', async () => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${url}/api/v1/products`, { headers })).ok;
    });
  }
  const running = opened.move();
  return {
    url,
    cells,
    map,
    socket: proxy.socket,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface CellsProxyOptions {
  /** HAProxy. */
  readonly command: Command;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The file of the map, which must exist. */
  readonly map: string;
  readonly port: number;
  /** The addresses of the cells `one` and `two`, without a scheme. */
  readonly cells: readonly [string, string];
}

/** HAProxy in front of two cells, with the delivered configuration, that is not started yet; and its socket. */
export function createCellsProxy({ command, env, folder, map, port, cells }: CellsProxyOptions) {
  const socket = path.join(folder, 'cells.sock');
  const member = createMember({
    name: 'haproxy-cells',
    folder,
    command: [...command, '-db', '-f', delivered('haproxy-cells.cfg')],
    env: {
      PATH: '/usr/bin:/bin',
      ...env,
      ADMIN_SOCKET: socket,
      CELLS_MAP: map,
      SERVICE_BIND: `127.0.0.1:${port}`,
      CELL_ONE: cells[0],
      CELL_TWO: cells[1],
    },
  });
  return { ...member, socket };
}

function createCell(
  cell: string,
  port: number,
  folder: string,
  settings: Readonly<Record<string, string>>,
): CellMember {
  const dataDir = path.join(folder, cell);
  const env = {
    PATH: '/usr/bin:/bin',
    HOST: '127.0.0.1',
    PORT: String(port),
    TOLLGATE_CELL: cell,
    DATA_DIR: dataDir,
    ...settings,
  };
  const member = createMember({
    name: `cell-${cell}`,
    folder,
    command: [process.execPath, fileURLToPath(programUrl('src/main.ts'))],
    env,
  });
  return { ...member, cell, dataDir, url: `http://127.0.0.1:${port}` };
}

async function digestOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(key));
  return Buffer.from(digest).toString('hex');
}
