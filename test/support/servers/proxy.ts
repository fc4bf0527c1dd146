import { once } from 'node:events';
import net from 'node:net';

/** A fixed address before a database, and a network between the two that can fail. */
export interface Proxy extends AsyncDisposable {
  /** The database's address through this proxy. */
  readonly databaseUrl: string;
  /** Routes new connections to another server from now on. */
  leadTo(databaseUrl: string): void;
  /** Closes every present connection. */
  cut(): void;
  /** Silently drops all data of the present connections; new ones work. */
  swallow(): void;
  /** Also drops the data of new connections, until `heal`. */
  swallowAll(): void;
  heal(): void;
}

interface Pair {
  readonly near: net.Socket;
  readonly far: net.Socket;
  muted: boolean;
}

/** Starts a proxy before the server of a `postgresql://` address. `onAnswer` follows each portion of an answer. */
export async function startProxy(databaseUrl: string, onAnswer = () => {}): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let port = Number(new URL(databaseUrl).port);
  let silent = false;
  const server = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    const pair = { near, far, muted: false };
    pairs.add(pair);
    if (silent) mute(pair);
    else near.pipe(far).pipe(near);
    far.on('data', onAnswer);
    for (const end of [near, far]) {
      end.on('error', () => {});
      end.on('close', () => {
        // The other side does not notice the end of a swallowed connection either.
        if (pair.muted && !(near.destroyed && far.destroyed)) return;
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = new URL(databaseUrl);
  address.port = String((server.address() as net.AddressInfo).port);

  return {
    databaseUrl: address.href,
    leadTo(url) {
      port = Number(new URL(url).port);
    },
    cut,
    swallow() {
      for (const pair of pairs) mute(pair);
    },
    swallowAll() {
      silent = true;
      for (const pair of pairs) mute(pair);
    },
    heal() {
      silent = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };

  function cut() {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  }
}

/** Accepts all data and drops it, so the sender's system notices nothing. */
function mute(pair: Pair) {
  const { near, far } = pair;
  pair.muted = true;
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.unpipe(to);
    from.resume();
  }
}
