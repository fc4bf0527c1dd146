import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Roster } from '#engines/batching/roster.ts';

/** How long a connection may seem idle although its request is being sent already. */
const glanceMilliseconds = 50;

/** The open connections of a server, so that it can stop without cutting off an answer. */
export interface Connections {
  /** Still takes requests, and closes each connection after its next response. */
  drain(): void;
  /** Takes no more requests; resolves when the last response is sent and everything is closed. */
  finish(): Promise<void>;
  /** Closes the remaining connections. */
  destroy(): void;
}

/** Follows the connections of a server from its start. */
export function trackConnections(http: Server): Connections {
  const sockets = new Set<net.Socket>();
  const upgraded = new WeakSet<object>();
  const answers = new Roster<ServerResponse>();
  let leaving = false;

  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.on('upgrade', (_request, socket) => upgraded.add(socket));
  http.prependListener('request', (_request, answer) => {
    const place = answers.add(answer);
    answer.once('close', () => answers.remove(place));
    if (leaving) makeLast(answer);
  });

  return {
    drain() {
      leaving = true;
    },
    async finish() {
      leaving = true;
      const closed = new Promise<void>((resolve) => stopListening(http, resolve));
      for (const answer of answers) makeLast(answer);
      await sleep(glanceMilliseconds);
      const busy = new Set(Array.from(answers, ({ req }) => req.socket));
      for (const socket of sockets) {
        if (!busy.has(socket) && !upgraded.has(socket)) socket.destroy();
      }
      await closed;
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Stops listening without the server's own `close`. That destroys each connection whose response has been handed
 * over, even while most of it is still being sent to a slow client.
 */
function stopListening(http: Server, closed: () => void) {
  net.Server.prototype.close.call(http, closed);
}

/** Closes the connection after this response. */
function makeLast(answer: ServerResponse) {
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  // An event stream has no end of its own. Its client reconnects when the stream breaks off, and
  // would not after a completed subscription.
  else if (isEventStream(answer)) answer.destroy();
  else answer.once('close', () => answer.req.socket.end());
}

const isEventStream = ({ req }: ServerResponse) =>
  req.headers.accept?.includes('text/event-stream') ?? false;
