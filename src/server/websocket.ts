import type { IncomingMessage, Server } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CorsOrigins } from '#config';
import { notServed } from '#domain/kernel/absent-organizations.ts';
import { logged } from '#domain/kernel/database-failure.ts';
import { credentialIdOf } from '#domain/kernel/session.ts';
import type { Limits } from '#limits';
import type { Context } from '#schema/engine/builder.ts';
import { refusalOf } from './feed/event-follower.ts';
import type { EventHub } from './feed/event-hub.ts';
import { onExpiry } from './feed/key-expiry.ts';
import { addressOf } from './http/addresses.ts';
import { GuardedSocket, tooManyRequests } from './http/guarded-socket.ts';
import { createOpenCount, type OpenCount } from './http/open-count.ts';
import { isAllowedOrigin, isSameOrigin } from './http/origins.ts';
import { wantsDryRun } from './idempotency/use-dry-run.ts';
import { idempotencyKeyOf } from './idempotency/use-idempotency.ts';
import { wantsCost } from './limits/operation-cost.ts';
import { batchSends } from './live/batch-sends.ts';
import { offerDirectWay } from './live/direct-results.ts';
import type { Logger } from './observability/logger.ts';
import { type TrustedDocuments, textOf } from './operations/trusted-documents.ts';
import { positionIn } from './replicas/position.ts';
import { logConnect, logConnection, logOperation } from './request-log/websocket-log.ts';
import type { Gateway } from './yoga.ts';

type Pipeline = ReturnType<Gateway['getEnveloped']>;
type Args = ExecutionArgs & { rootValue: Pipeline };

const largestMessageBytes = 1024 * 1024;
const keepAliveMilliseconds = 12_000;
/**
 * A process under load, or the client's machine, may need seconds until the first message is read. The number of sockets
 * of an address is limited meanwhile.
 */
const connectionInitWaitTimeout = 60_000;
/** RFC 6455's registry: the server is not able to serve now. */
const tryAgainLater = 1013;
/** The organization is in another cell: the client must connect there. */
const misdirected = 4421;

interface SocketOptions {
  readonly logger: Logger;
  readonly limits: Limits;
  /** The origins whose pages may open sockets; all when absent. */
  readonly corsOrigins?: CorsOrigins | undefined;
  /** The documents that clients may name instead of sending their text. */
  readonly trustedDocuments: TrustedDocuments;
}

/** Serves `graphql-transport-ws` clients through the gateway's own pipeline. */
export function serveWebSocket(
  server: Server,
  gateway: Gateway,
  hub: EventHub,
  { logger, limits, corsOrigins = '*', trustedDocuments }: SocketOptions,
) {
  const { graphqlEndpoint: path } = gateway;
  const sockets = new WebSocketServer({
    server,
    path,
    maxPayload: largestMessageBytes,
    WebSocket: GuardedSocket,
    // Browsers do not apply CORS to sockets, so the upgrade of a page of another origin is refused here.
    verifyClient: ({ origin, req }: { origin?: string; req: IncomingMessage }) =>
      !origin || isSameOrigin(origin, req.headers.host) || isAllowedOrigin(corsOrigins, origin),
  });
  const pipelineFor = (
    connectionParams: Record<string, unknown> | undefined,
    { socket, request }: { socket: WebSocket; request: IncomingMessage },
  ) =>
    gateway.getEnveloped({
      connectionParams,
      connection: socket,
      req: request,
      signal: closings.get(socket)?.signal,
    });

  const ofAddresses = createOpenCount(limits.socketsPerAddress);
  const ofKeys = createOpenCount(limits.socketsPerKey);
  const ofCustomers = createOpenCount(limits.socketsPerCustomer);
  const closings = new WeakMap<WebSocket, AbortController>();
  sockets.on('connection', (socket, request) => {
    logConnection(socket, request, logger);
    const closing = new AbortController();
    closings.set(socket, closing);
    socket.once('close', () => closing.abort());
    if (admit(socket, ofAddresses, addressOf(request, limits.trustedProxies))) {
      batchSends(socket, request.socket);
    } else socket.close(tooManyRequests, 'Too many sockets');
  });

  interface Key {
    readonly credentialId: string;
    readonly organizationId: string;
    readonly origin: string | undefined;
  }
  const keys = new WeakMap<WebSocket, Key>();
  // The client connects again, and is led to the cell of its organization.
  hub.onMove((organizations) => {
    for (const socket of sockets.clients) {
      const cell = organizations.get(keys.get(socket)?.organizationId ?? '');
      if (cell !== undefined) socket.close(tryAgainLater, notServed(cell).message);
    }
  });
  hub.onDismissal((credentialId, origins) => {
    for (const socket of sockets.clients) {
      const key = keys.get(socket);
      if (key?.credentialId !== credentialId) continue;
      const refusal = refusalOf(key.origin, origins);
      if (refusal) close(socket, refusal.message);
    }
  });

  return useServer(
    {
      connectionInitWaitTimeout,
      execute: (args) => (args as Args).rootValue.execute(args),
      subscribe: (args) => (args as Args).rootValue.subscribe(args),
      // A refused key closes the socket (4403) before any operation.
      onConnect: async ({ connectionParams = {}, extra }) => {
        try {
          const context = (await pipelineFor(connectionParams, extra).contextFactory()) as Context;
          const credentialId = credentialIdOf(context);
          const { customerId, organizationId } = context;
          const isFree = customerId
            ? admit(extra.socket, ofCustomers, customerId)
            : admit(extra.socket, ofKeys, credentialId);
          if (!isFree) {
            extra.socket.close(
              tooManyRequests,
              `Too many sockets of this ${customerId ? 'customer' : 'key'}`,
            );
            return false;
          }
          const { origin } = extra.request.headers;
          keys.set(extra.socket, { credentialId, organizationId, origin });
          closeAt(extra.socket, context);
          (extra.socket as GuardedSocket).isAdmitted = true;
          return true;
        } catch (error) {
          // The text of an unexpected error is for the log.
          if (!(error instanceof GraphQLError)) logger.error(logged(error));
          const { message, extensions } = error instanceof GraphQLError ? error : unexpected;
          close(extra.socket, message, String(extensions.code));
          return false;
        } finally {
          logConnect(extra.socket, logger);
        }
      },
      onSubscribe: async ({ connectionParams = {}, subscriptions, extra }, id, payload) => {
        const pipeline = pipelineFor(connectionParams, extra);
        const { operationName, variables, extensions } = payload;
        try {
          if (Object.keys(subscriptions).length > limits.streamsPerSocket) {
            return [tooManyOnSocket(limits.streamsPerSocket)];
          }
          // First, so that a caller who sends too much is refused before any parsing.
          const context = (await pipeline.contextFactory()) as Context;
          const document = pipeline.parse(textOf(trustedDocuments, payload, context.keyType));
          const errors = pipeline.validate(pipeline.schema, document);
          if (errors.length > 0) return errors;
          logOperation(extra.socket, { document, operationName }, logger);
          const contextValue = {
            ...context,
            dryRun: wantsDryRun(undefined, extensions ?? undefined),
            wantsCost: wantsCost(undefined, extensions),
            idempotencyKey: idempotencyKeyOf(undefined, extensions),
            position: positionIn(undefined, extensions),
          };
          if (!contextValue.wantsCost) {
            const { socket, request } = extra;
            offerDirectWay(contextValue, { socket, stream: request.socket, id });
          }
          return {
            schema: pipeline.schema,
            document,
            operationName,
            variableValues: variables,
            contextValue,
            rootValue: pipeline,
          } as Args;
        } catch (error) {
          // The refusal of one operation does not affect the others on its socket.
          if (error instanceof GraphQLError) return [error];
          throw error;
        }
      },
    },
    sockets,
    keepAliveMilliseconds,
  );
}

const unexpected = new GraphQLError('Internal server error', {
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
});

/** The codes of refusals that say nothing about the credential. */
const passing: Readonly<Record<string, number>> = {
  SERVICE_UNAVAILABLE: tryAgainLater,
  TOO_MANY_REQUESTS: tooManyRequests,
  MISDIRECTED: misdirected,
  INTERNAL_SERVER_ERROR: CloseCode.InternalServerError,
};

/** The longest reason in bytes (RFC 6455). */
const longestReason = 123;

/** Closes a socket with the message of a refusal as the reason. */
function close(socket: WebSocket, message: string, code = '') {
  const reason = Buffer.from(message)
    .subarray(0, longestReason)
    .toString()
    .replace(/\ufffd$/, '');
  socket.close(passing[code] ?? CloseCode.Forbidden, reason);
}

/** Closes a socket when its credential expires. */
function closeAt(socket: WebSocket, { em, expiresAt }: Context) {
  const stop = onExpiry(em, expiresAt, () => close(socket, 'The credential has expired'));
  socket.once('close', stop);
}

/** Takes a slot for a socket until it is closed; returns false when none is free. */
function admit(socket: WebSocket, count: OpenCount, name: string): boolean {
  const leave = count.take(name);
  if (leave) socket.once('close', leave);
  return leave !== undefined;
}

const tooManyOnSocket = (most: number) =>
  new GraphQLError(
    `This socket has ${most} operations in progress, its limit: complete some first`,
    {
      extensions: { code: 'TOO_MANY_REQUESTS' },
    },
  );
