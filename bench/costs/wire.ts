import { once } from 'node:events';
import net from 'node:net';
import { readMessages } from './messages.ts';

/** The requests of a service to its database. */
export interface Asked {
  /** Statements, without those that begin or end a transaction. */
  readonly statements: number;
  /** How often the service has waited for the server: messages that leave together wait once. */
  readonly roundTrips: number;
  /** Transactions; a statement outside of one counts as one. */
  readonly transactions: number;
}

/** A connection to a database that counts what passes. */
export interface CountingWire extends AsyncDisposable {
  /** The address of the database through this wire. */
  readonly databaseUrl: string;
  /** The requests since the last call. */
  take(): Asked;
  /** The texts of the statements that have passed since the last call. */
  takeTexts(): readonly string[];
}

const boundary = /^\s*(begin|commit|rollback|savepoint|release|start)\b/i;
/**
 * Notifications of other processes leave when there is time, and idle connections are checked by the clock, so their
 * number differs from run to run.
 */
const byTheClock = /pg_notify\(|^select 1\0?$|^select pg_is_in_recovery/;
const listening = /^\s*listen\b/i;

/**
 * Starts a wire to a database. It reads the messages of both sides, so it counts for any service and any driver.
 * Connections that listen are not counted: they ask by the clock.
 */
export async function startWire(databaseUrl: string): Promise<CountingWire> {
  const counts = { statements: 0, roundTrips: 0, transactions: 0 };
  let texts: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(new URL(databaseUrl).port), '127.0.0.1');
    const known = new Map<string, string>();
    /** For each question that the server has not answered, whether it counts. The start of a connection is none. */
    const asked: boolean[] = [];
    let bound = '';
    let parsed = '';
    let isCounted = false;
    let isListening = false;
    const note = (text: string) => {
      isListening ||= listening.test(text);
      isCounted = !isListening && !byTheClock.test(text);
      if (!isCounted) return;
      texts.push(text);
      if (!boundary.test(text)) counts.statements += 1;
      if (asked.length === 0) counts.roundTrips += 1;
    };
    const toServer = readMessages(true, (type, body) => {
      if (type === 'P') {
        const [name = '', text = ''] = body.toString('latin1').split('\0', 2);
        parsed = text;
        if (name) known.set(name, text);
      } else if (type === 'B') {
        const [, name = ''] = body.toString('latin1').split('\0', 2);
        bound = name ? (known.get(name) ?? '') : parsed;
      } else if (type === 'E') note(bound);
      else if (type === 'Q') note(body.toString('latin1').replace(/\0$/, ''));
      if (type === 'S' || type === 'Q') asked.push(isCounted);
    });
    const toClient = readMessages(false, (type, body) => {
      if (type !== 'Z') return;
      const isOurs = asked.shift();
      if (isOurs && body.toString('latin1') === 'I') counts.transactions += 1;
    });
    near.on('data', toServer).pipe(far);
    far.on('data', toClient).pipe(near);
    for (const end of [near, far]) {
      sockets.add(end);
      end.setNoDelay(true);
      end.on('error', () => near.destroy());
      end.on('close', () => {
        sockets.delete(end);
        near.destroy();
        far.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = new URL(databaseUrl);
  address.hostname = '127.0.0.1';
  address.port = String((server.address() as net.AddressInfo).port);
  return {
    databaseUrl: address.href,
    take() {
      const taken = { ...counts };
      Object.assign(counts, { statements: 0, roundTrips: 0, transactions: 0 });
      return taken;
    },
    takeTexts() {
      const taken = texts;
      texts = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
