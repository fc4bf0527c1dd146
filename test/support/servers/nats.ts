import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpack } from '../fleet/debian-packages.ts';
import { delivered } from '../fleet/delivered.ts';
import { freePorts } from '../fleet/free-ports.ts';
import { createMember, type Member, until } from '../fleet/member.ts';

/** Debian 12 has an older server, which does not write each message to the disk. */
const newerDebian = 'forky';

/** The real NATS server; undefined where it cannot be had. */
export const natsServer = await findServer();

/** Three NATS servers on this machine, with the delivered configuration. */
export interface Nats extends AsyncDisposable {
  /** The settings of a process that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly servers: readonly Member[];
  /** The number of the server that leads the stream of a partition. */
  leaderOf(stream: string): Promise<number>;
  /** Waits until all servers have all messages of the streams. */
  whole(): Promise<void>;
}

export interface NatsOptions {
  /** How many servers there are; 3 when absent. */
  readonly size?: number;
  /** Changes the delivered configuration. */
  readonly change?: (text: string) => string;
}

export async function startNats({
  size = 3,
  change = (text) => text,
}: NatsOptions = {}): Promise<Nats> {
  if (!natsServer) throw new Error('There is no NATS server');
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-nats-'));
  const ports = await freePorts(size * 3);
  const port = (number: number, kind: number) => `127.0.0.1:${ports[number * 3 + kind]}`;
  const numbers = Array.from({ length: size }, (_, number) => number);
  const text = await readFile(delivered('nats.conf'), 'utf8');
  const servers: Member[] = [];
  for (const number of numbers) {
    const routes = numbers.map((other) => `    "nats://${port(other, 2)}"`).join('\n');
    const own = text
      .replace('server_name: nats-1', `server_name: nats-${number + 1}`)
      .replace('0.0.0.0:4222', port(number, 0))
      .replace('0.0.0.0:8222', port(number, 1))
      .replace('0.0.0.0:6222', port(number, 2))
      .replace('/var/lib/nats', path.join(folder, `store-${number}`))
      .replace(/routes: \[[^\]]*\]/, `routes: [\n${routes}\n  ]`);
    const file = path.join(folder, `nats-${number}.conf`);
    const alone = size === 1 ? own.replace(/^cluster \{[\s\S]*?^\}/m, '') : own;
    await writeFile(file, change(alone));
    const command = [natsServer, '-c', file] as const;
    const server = createMember({ name: `nats-${number}`, command, env: {}, folder });
    server.start();
    servers.push(server);
  }
  const health = (number: number, only: string) =>
    fetch(`http://${port(number, 1)}/healthz?${only}`).then(
      ({ ok }) => ok,
      () => false,
    );
  const all = async (only: string) =>
    (await Promise.all(numbers.map((number) => health(number, only)))).every(Boolean);
  await until('NATS to have a leader', () => all('js-enabled-only=true'));
  const urls = numbers.map((number) => `nats://tollgate:change-me@${port(number, 0)}`);
  return {
    settings: {
      NATS_URLS: urls.join(),
      NATS_MONITORING_URLS: numbers.map((number) => `http://${port(number, 1)}`).join(),
    },
    servers,
    async leaderOf(stream) {
      for (const number of numbers) {
        const page = await fetch(`http://${port(number, 1)}/jsz?streams=true`).catch(
          () => undefined,
        );
        const { account_details: [account] = [] } = (await page?.json()) ?? {};
        const found = account?.stream_detail?.find(({ name }: { name: string }) => name === stream);
        const leader = found?.cluster?.leader;
        if (leader) return Number(leader.slice('nats-'.length)) - 1;
      }
      throw new Error(`${stream} has no leader`);
    },
    async whole() {
      await until('all servers of NATS', () => all(''));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true, maxRetries: 9 });
    },
  };
}

async function findServer(): Promise<string | undefined> {
  const folder = await unpack(newerDebian, 'nats-server');
  if (!folder) return undefined;
  const program = path.join(folder, 'usr/sbin/nats-server');
  return access(program).then(
    () => program,
    () => undefined,
  );
}
