import type { Server } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '#schema/builder.ts';
import { batchSends } from './batch-sends.ts';
import type { EventHub } from './event-hub.ts';
import { wantsDryRun } from './use-dry-run.ts';
import { idempotencyKeyOf } from './use-idempotency.ts';
import type { Gateway } from './yoga.ts';

type Pipeline = ReturnType<Gateway['getEnveloped']>;
type Args = ExecutionArgs & { rootValue: Pipeline };

const largestMessageBytes = 1024 * 1024;
const keepAliveMilliseconds = 12_000;

/** Serves `graphql-transport-ws` clients through the gateway's own pipeline. */
export function serveWebSocket(server: Server, gateway: Gateway, hub: EventHub) {
  const { graphqlEndpoint: path } = gateway;
  const sockets = new WebSocketServer({ server, path, maxPayload: largestMessageBytes });
  const pipelineFor = (connectionParams: Record<string, unknown> | undefined) =>
    gateway.getEnveloped({ connectionParams } as never);

  sockets.on('connection', (socket, request) => batchSends(socket, request.socket));

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
          ).contextFactory()) as Context;
          keys.set(extra.socket, apiKeyId);
          return true;
        } catch {
          return false;
        }
      },
      onSubscribe: async (
        { connectionParams = {} },
        _id,
        { query, operationName, variables, extensions },
      ) => {
        const pipeline = pipelineFor(connectionParams);
        try {
          const document = pipeline.parse(query);
          const errors = pipeline.validate(pipeline.schema, document);
          if (errors.length > 0) return errors;
          return {
            schema: pipeline.schema,
            document,
            operationName,
            variableValues: variables,
            contextValue: {
              ...(await pipeline.contextFactory()),
              dryRun: wantsDryRun(undefined, extensions ?? undefined),
              idempotencyKey: idempotencyKeyOf(undefined, extensions),
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
