import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** So long a connection may seem idle although its request is on its way already. */
const glanceMilliseconds = 50;

/** The open connections of a server, so that it can stop without cutting off an answer. */
export interface Connections {
  /** Still takes requests, and ends each connection with the answer to its next one. */
  drain(): void;
  /** Takes no more requests; resolves when the last answer is out and everything is closed. */
  finish(): Promise<void>;
  /** Closes what is still open. */
  destroy(): void;
}

/** Follows the connections of a server from its start. */
export function trackConnections(http: Server): Connections {
  const sockets = new Set<net.Socket>();
  const upgraded = new WeakSet<object>();
  const answers = new Set<ServerResponse>();
  let leaving = false;

  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.on('upgrade', (_request, socket) => upgraded.add(socket));
  http.prependListener('request', (_request, answer) => {
    answers.add(answer);
    answer.once('close', () => answers.delete(answer));
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
 * Not by the server's own `close`: that destroys each connection whose answer has been handed over,
 * also while most of the answer is still on its way to a slow client.
 */
function stopListening(http: Server, closed: () => void) {
  net.Server.prototype.close.call(http, closed);
}

/** The connection ends with this answer. */
function makeLast(answer: ServerResponse) {
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  // An event stream has no end of its own. Its client reconnects when the stream breaks off, and
  // would not after a completed subscription.
  else if (isEventStream(answer)) answer.destroy();
  else answer.once('close', () => answer.req.socket.end());
}

const isEventStream = ({ req }: ServerResponse) =>
  req.headers.accept?.includes('text/event-stream') ?? false;
