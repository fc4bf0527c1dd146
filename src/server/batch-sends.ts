import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** The bytes that may wait for one client before its messages are sent one by one. */
const longestBacklogBytes = 64 * 1024;

const held = new Set<Duplex>();

/**
 * Sends the messages of one turn of the event loop in one batch, since a system call costs more than the rest of a
 * message. Only a client that does not read makes a sender wait, so a process that is behind writes larger batches
 * and catches up.
 */
export function batchSends(socket: WebSocket, stream: Duplex) {
  const send = socket.send.bind(socket) as (data: unknown, sent?: Sent) => void;
  socket.send = ((data: unknown, sent?: Sent) => {
    hold(stream);
    if (socket.bufferedAmount >= longestBacklogBytes) return send(data, sent);
    send(data);
    sent?.();
  }) as WebSocket['send'];
}

type Sent = (error?: Error) => void;

function hold(stream: Duplex) {
  if (held.has(stream)) return;
  stream.cork();
  held.add(stream);
  // Runs after all work that waits only for promises.
  if (held.size === 1) process.nextTick(release);
}

function release() {
  const streams = [...held];
  held.clear();
  for (const stream of streams) stream.uncork();
}
