import type { Server } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '#schema/builder.ts';
import { batchSends } from './batch-sends.ts';
import type { EventHub } from './event-hub.ts';
import type { Logger } from './logger.ts';
import { wantsDryRun } from './use-dry-run.ts';
import { logConnect, logConnection, logOperation } from './websocket-log.ts';
import type { Gateway } from './yoga.ts';

type Pipeline = ReturnType<Gateway['getEnveloped']>;
type Args = ExecutionArgs & { rootValue: Pipeline };

const largestMessageBytes = 1024 * 1024;
const keepAliveMilliseconds = 12_000;
/** RFC 6455's registry: the server is not able to serve now. */
const tryAgainLater = 1013;

/** Serves `graphql-transport-ws` clients through the gateway's own pipeline. */
export function serveWebSocket(server: Server, gateway: Gateway, hub: EventHub, logger: Logger) {
  const { graphqlEndpoint: path } = gateway;
  const sockets = new WebSocketServer({ server, path, maxPayload: largestMessageBytes });
  const pipelineFor = (connectionParams: Record<string, unknown> | undefined, connection: object) =>
    gateway.getEnveloped({ connectionParams, connection } as never);

  sockets.on('connection', (socket, request) => {
    batchSends(socket, request.socket);
    logConnection(socket, request, logger);
  });

  const keys = new WeakMap<WebSocket, string>();
  hub.onDismissal((apiKeyId) => {
    for (const socket of sockets.clients) {
      if (keys.get(socket) === apiKeyId) socket.close(CloseCode.Forbidden, 'Forbidden');
    }
  });

  return useServer(
    {
      execute: (args) => (args as Args).rootValue.execute(args),
      subscribe: (args) => (args as Args).rootValue.subscribe(args),
      // A key that is refused closes the socket (4403) before anything is asked through it.
      onConnect: async ({ connectionParams = {}, extra }) => {
        try {
          const { apiKeyId = '' } = (await pipelineFor(
            connectionParams,
            extra.socket,
          ).contextFactory()) as Context;
          keys.set(extra.socket, apiKeyId);
          return true;
        } catch (error) {
          // The key may be good: a client tries again after this code, and is told to after no other.
          if ((error as GraphQLError).extensions?.code === 'SERVICE_UNAVAILABLE') {
            extra.socket.close(tryAgainLater, (error as GraphQLError).message);
          }
          return false;
        } finally {
          logConnect(extra.socket, logger);
        }
      },
      onSubscribe: async (
        { connectionParams = {}, extra },
        _id,
        { query, operationName, variables, extensions },
      ) => {
        const pipeline = pipelineFor(connectionParams, extra.socket);
        try {
          const document = pipeline.parse(query);
          const errors = pipeline.validate(pipeline.schema, document);
          if (errors.length > 0) return errors;
          logOperation(extra.socket, { document, operationName }, logger);
          return {
            schema: pipeline.schema,
            document,
            operationName,
            variableValues: variables,
            contextValue: {
              ...(await pipeline.contextFactory()),
              dryRun: wantsDryRun(undefined, extensions ?? undefined),
            },
            rootValue: pipeline,
          } as Args;
        } catch (error) {
          // One operation that is refused leaves the others on its socket alone.
          if (error instanceof GraphQLError) return [error];
          throw error;
        }
      },
    },
    sockets,
    keepAliveMilliseconds,
  );
}
