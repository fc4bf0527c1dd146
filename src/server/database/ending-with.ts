import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';

/** Work whose transaction ends when its caller goes. */
interface Endable {
  readonly signal: AbortSignal;
  isTaken: boolean;
}

const endables = new AsyncLocalStorage<Endable>();

/**
 * Does work whose next transaction ends with a signal: the statement that runs is canceled, and no other one follows. Only
 * for a transaction that is rolled back anyway. Later transactions of the work are as usual, since others may share them.
 */
export const endingWith = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  endables.run({ signal, isTaken: false }, work);

/** The signal that ends the transaction that begins now; undefined for one that nothing ends. */
export function takeSignal(): AbortSignal | undefined {
  const endable = endables.getStore();
  if (!endable || endable.isTaken) return undefined;
  endable.isTaken = true;
  return endable.signal;
}

/** A connection of `pg` with the properties that its types omit. */
type Inner = pg.PoolClient & {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
};

const longestMilliseconds = 2_000;
const cancelCode = 80_877_102;

/**
 * Has the server cancel the statement that a connection runs, by a request on a connection of its own, which a pooler
 * understands, too. Returns when the server has taken it. A request that does not arrive changes nothing.
 */
export async function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as Inner;
  const isFile = host.startsWith('/');
  const socket = isFile ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(longestMilliseconds, () => socket.destroy());
  socket.on('error', () => {});
  socket.resume();
  const request = Buffer.alloc(16);
  for (const [place, value] of [16, cancelCode, processID, secretKey].entries())
    request.writeInt32BE(value, place * 4);
  socket.write(request);
  await once(socket, 'close');
}
