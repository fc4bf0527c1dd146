import type { IncomingMessage } from 'node:http';
import type { DocumentNode } from 'graphql';
import type { WebSocket } from 'ws';
import type { Logger } from '../observability/logger.ts';
import { operationOf } from '../observability/operation-name.ts';
import { addressOf, openRecord, type RequestNotes } from './use-request-log.ts';

interface Connection {
  readonly id: string;
  readonly at: number;
  readonly notes: RequestNotes;
  readonly from: ReturnType<typeof addressOf>;
  operations: number;
}

const connections = new WeakMap<WebSocket, Connection>();

/** Keeps the record of a WebSocket connection and writes a line when it closes. */
export function logConnection(socket: WebSocket, request: IncomingMessage, logger: Logger) {
  const from = addressOf(request);
  const connection: Connection = { ...openRecord(socket), from, operations: 0 };
  connections.set(socket, connection);
  socket.once('close', (code) => {
    logger.info({
      ...lineOf(connection),
      websocket: 'closed',
      code,
      operations: connection.operations,
      milliseconds: Math.round(performance.now() - connection.at),
    });
  });
}

/** Writes a line when the key of a connection is checked; a refused key is a warning. */
export function logConnect(socket: WebSocket, logger: Logger) {
  const connection = connections.get(socket);
  if (!connection) return;
  const refused = connection.notes.authentication !== undefined;
  const websocket = refused ? 'refused' : 'connected';
  logger[refused ? 'warn' : 'info']({ ...lineOf(connection), websocket });
}

/** Writes a line for an operation before its execution. */
export function logOperation(
  socket: WebSocket,
  executed: { document: DocumentNode; operationName?: string | null | undefined },
  logger: Logger,
) {
  const connection = connections.get(socket);
  if (!connection) return;
  connection.operations += 1;
  logger.info({ ...lineOf(connection), operation: operationOf(executed) });
}

const lineOf = ({ id, from, notes }: Connection) => ({ requestId: id, ...from, ...notes });
