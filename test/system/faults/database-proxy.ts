import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a process and a server, such as PostgreSQL, that can fail. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The address of the database through the proxy. */
  readonly databaseUrl: string;
  /** How many connections the process has open. */
  openCount(): number;
  /** The ports of connections that the process has closed, and that PostgreSQL keeps since their end is swallowed. */
  abandonedPorts(): number[];
  /** Breaks connections: each one for which `chosen` answers true. */
  cut(chosen?: () => boolean): void;
  /** Swallows the packets of the connections there are, in both directions, without an end. */
  swallow(): void;
  /** Delays all packets, those of new connections too, until `resume`. */
  pause(): void;
  /** Delays the packets of the chosen connections, so that others overtake them. Returns the function that ends it. */
  hold(chosen: () => boolean): () => void;
  /** Forwards everything that was delayed. Swallowed connections stay dead. */
  resume(): void;
  /** Refuses new connections while true. */
  refuse(refusing: boolean): void;
}

/** One connection: the side of the process and the side of PostgreSQL. */
interface Pair {
  readonly sides: readonly [Socket, Socket];
  isSwallowed: boolean;
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let paused = false;
  let refusing = false;
  const server = createServer((client) => {
    if (refusing) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    const pair: Pair = { sides: [client, upstream], isSwallowed: false };
    pairs.add(pair);
    const drop = () => {
      // The end of a swallowed connection is swallowed, too: PostgreSQL keeps its side.
      if (pair.isSwallowed && !pair.sides.every(({ destroyed }) => destroyed)) return;
      pairs.delete(pair);
      for (const side of pair.sides) side.destroy();
    };
    for (const side of pair.sides) {
      // The other side learns of an end by its own end.
      side.on('error', drop).on('close', drop).setNoDelay();
    }
    client.pipe(upstream);
    upstream.pipe(client);
    if (paused) for (const side of pair.sides) side.pause();
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sidesOf = (those: Iterable<Pair>) => [...those].flatMap(({ sides }) => sides);
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);

  return {
    databaseUrl: url.href,
    openCount: () => [...pairs].filter(({ sides: [client] }) => !client.destroyed).length,
    abandonedPorts: () =>
      [...pairs].flatMap(({ sides: [client, { localPort }] }) =>
        client.destroyed && localPort !== undefined ? localPort : [],
      ),
    cut(chosen = () => true) {
      for (const { sides } of [...pairs]) if (chosen()) for (const side of sides) side.destroy();
    },
    swallow() {
      for (const pair of pairs) {
        pair.isSwallowed = true;
        for (const side of pair.sides) {
          side.unpipe();
          // Without this a side stops to read, and its end is not seen.
          side.on('data', () => {}).resume();
        }
      }
    },
    pause() {
      paused = true;
      for (const side of sidesOf(pairs)) side.pause();
    },
    hold(chosen) {
      const held = [...pairs].filter(() => chosen());
      for (const side of sidesOf(held)) side.pause();
      return () => {
        if (!paused) for (const side of sidesOf(held)) side.resume();
      };
    },
    resume() {
      paused = false;
      for (const side of sidesOf(pairs)) side.resume();
    },
    refuse(now) {
      refusing = now;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const side of sidesOf(pairs)) side.destroy();
    },
  };
}
