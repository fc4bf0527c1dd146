import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** The bytes that may wait for one client before its messages are sent one by one. */
const longestBacklogBytes = 64 * 1024;

const corked = new Set<Duplex>();

/**
 * Sends the messages that a socket receives in one turn of the event loop together. Each system
 * call costs more than all the work on a message. A sender waits only for a client that does not
 * read. A process that is behind therefore writes more at a time and catches up.
 */
export function batchSends(socket: WebSocket, stream: Duplex) {
  const send = socket.send.bind(socket) as (data: unknown, sent?: Sent) => void;
  socket.send = ((data: unknown, sent?: Sent) => {
    cork(stream);
    if (socket.bufferedAmount >= longestBacklogBytes) return send(data, sent);
    send(data);
    sent?.();
  }) as WebSocket['send'];
}

type Sent = (error?: Error) => void;

/** Has all that is written to a connection in this turn leave together. */
export function cork(stream: Duplex) {
  if (corked.has(stream)) return;
  stream.cork();
  corked.add(stream);
  // Runs after all work that waits only for promises.
  if (corked.size === 1) process.nextTick(release);
}

function release() {
  const streams = [...corked];
  corked.clear();
  for (const stream of streams) stream.uncork();
}
