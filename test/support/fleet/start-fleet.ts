import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programUrl } from '#root';
import { createDatabase, type DatabaseMember, foundDatabase, synchronous } from './databases.ts';
import { delivered } from './delivered.ts';
import { freePorts } from './free-ports.ts';
import { createMember, listening, type Member, until } from './member.ts';
import { createPooler } from './pooler.ts';
import type { Programs } from './programs.ts';

export interface FleetOptions {
  readonly programs: Programs;
  /** An empty folder for the data and the logs. */
  readonly folder: string;
  /** The port of the service; a free one when absent. */
  readonly port?: number;
  /** Further settings of the processes of the service. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Reports the steps of the start. */
  readonly report?: (message: string) => void;
}

/** A process of the service. */
interface Gateway extends Member {
  readonly url: string;
}

/** The recipe of `src/deploy` on one machine. */
export interface Fleet extends AsyncDisposable {
  /** The address of the service, which HAProxy shares out. */
  readonly url: string;
  readonly gateways: readonly Gateway[];
  readonly databases: readonly DatabaseMember[];
  readonly pooler: Member;
  /** All of its processes. */
  readonly members: readonly Member[];
  /** The leader of PostgreSQL, through HAProxy. */
  readonly directUrl: string;
}

/**
 * Starts etcd, three PostgreSQL under Patroni, HAProxy, PgBouncer and three processes of the service. Their
 * configurations are the delivered ones. One PostgreSQL leads, one is its synchronous standby, and one a replica.
 * Everything ends with the fleet.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { programs, folder, report = () => {}, settings = {} } = options;
  await using opened = new AsyncDisposableStack();
  const members: Member[] = [];
  const started = (member: Member) => {
    member.start();
    members.push(member);
    opened.defer(() => member.stop());
  };
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o777);
  const ports = await freePorts(14);
  const next = () => ports.pop() ?? 0;
  const etcdPort = next();
  const [databasePort, poolerPort] = [next(), next()];
  const servicePort = options.port ?? next();

  report('Starting etcd and three PostgreSQL under Patroni');
  started(etcd({ programs, folder, port: etcdPort, peerPort: next() }));
  await listening('etcd', etcdPort);
  const configuration = path.join(folder, 'patroni.yml');
  await copyFile(delivered('patroni.yml'), configuration);
  const place = { programs, folder, configuration, etcdPort };
  const databases: DatabaseMember[] = [];
  for (const name of ['database1', 'database2', 'database3']) {
    databases.push(await createDatabase(name, [next(), next()], place));
  }
  for (const database of databases) started(database);
  const { port: leaderPort } = await synchronous(databases);
  const foundedUrl = await foundDatabase(leaderPort);

  report('Starting HAProxy and PgBouncer');
  const gatewayPorts = [next(), next(), next()];
  const directUrl = withPort(foundedUrl, databasePort);
  const haproxy = createMember({
    name: 'haproxy',
    folder,
    command: [...programs.haproxy, '-db', '-f', delivered('haproxy.cfg')],
    env: {
      ...programs.env,
      DATABASE_BIND: `127.0.0.1:${databasePort}`,
      SERVICE_BIND: `127.0.0.1:${servicePort}`,
      ...Object.fromEntries(
        databases.flatMap(({ port, statePort }, index) => [
          [`DATABASE${index + 1}`, `127.0.0.1:${port}`],
          [`DATABASE${index + 1}_STATE_PORT`, String(statePort)],
        ]),
      ),
      ...Object.fromEntries(
        gatewayPorts.map((port, index) => [`GATEWAY${index + 1}`, `127.0.0.1:${port}`]),
      ),
    },
  });
  started(haproxy);
  const pooler = await createPooler(directUrl, { programs, folder, port: poolerPort });
  started(pooler);
  await Promise.all([listening('HAProxy', databasePort), listening('PgBouncer', poolerPort)]);

  report('Starting three processes of the service');
  const gateways = gatewayPorts.map((port, index) =>
    gateway(`gateway${index + 1}`, folder, {
      ...settings,
      PORT: String(port),
      DATABASE_URL: withPort(directUrl, poolerPort),
      DATABASE_DIRECT_URL: directUrl,
      // The leader is among them, and is passed over.
      DATABASE_REPLICA_URLS: databases.map(({ port }) => withPort(foundedUrl, port)).join(','),
    }),
  );
  for (const each of gateways) started(each);
  await Promise.all(
    gateways.map(({ name, url }) =>
      until(`${name} to be ready`, async () => (await fetch(`${url}/ready`)).ok),
    ),
  );
  const url = `http://127.0.0.1:${servicePort}`;
  await until('HAProxy to find the processes', async () => (await fetch(`${url}/ready`)).ok);
  const kept = opened.move();
  return {
    url,
    gateways,
    databases,
    pooler,
    members,
    directUrl,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const withPort = (url: string, port: number) => Object.assign(new URL(url), { port }).href;

interface EtcdPlace {
  readonly programs: Programs;
  readonly folder: string;
  readonly port: number;
  readonly peerPort: number;
}

function etcd({ programs, folder, port, peerPort }: EtcdPlace): Member {
  const [client, peer] = [port, peerPort].map((each) => `http://127.0.0.1:${each}`);
  return createMember({
    name: 'etcd',
    folder,
    env: { ...programs.env },
    command: [
      ...programs.etcd,
      ...['--name', 'etcd', '--data-dir', path.join(folder, 'etcd')],
      ...['--listen-client-urls', `${client}`, '--advertise-client-urls', `${client}`],
      ...['--listen-peer-urls', `${peer}`, '--initial-advertise-peer-urls', `${peer}`],
      ...['--initial-cluster', `etcd=${peer}`],
    ],
  });
}

function gateway(
  name: string,
  folder: string,
  settings: Readonly<Record<string, string>> & { readonly PORT: string },
): Gateway {
  const member = createMember({
    name,
    folder,
    command: [process.execPath, fileURLToPath(programUrl('src/main.ts'))],
    env: { PATH: '/usr/bin:/bin', HOST: '127.0.0.1', ...settings },
  });
  return { ...member, url: `http://127.0.0.1:${settings.PORT}` };
}
