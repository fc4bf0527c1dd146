import { createServer as createHttpServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CorsOrigins, usualLimits } from '#config';
import type { Limits } from '#limits';
import { countStatements } from './database/statement-count.ts';
import type { EventHub } from './feed/event-hub.ts';
import { answerUnreadableRequests, hasUsableHost, withUsableHost } from './http/bad-requests.ts';
import { trackConnections } from './http/connections.ts';
import { type Address, listen } from './http/listen.ts';
import { isWebSocketAt, withPlainTarget } from './http/request-target.ts';
import { createLogger, type Logger } from './observability/logger.ts';
import { traceRequests } from './observability/trace-requests.ts';
import { noTrustedDocuments, type TrustedDocuments } from './operations/trusted-documents.ts';
import { serveWebSocket } from './websocket.ts';
import type { Gateway } from './yoga.ts';

const longestFarewellMilliseconds = 10_000;
/** Longer than load balancers keep an idle connection (60 s), so that they never use a closing one. */
const keepAliveMilliseconds = 75_000;

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** Still takes requests, and asks clients with each response to reconnect. */
  drain(): void;
}

/** The options of a server; a silent log and the usual limits when absent. */
export interface ServerParts {
  readonly logger?: Logger;
  readonly limits?: Limits;
  /** The origins whose pages may open sockets; all when absent. */
  readonly corsOrigins?: CorsOrigins;
  /** The documents that clients may name instead of sending their text; none when absent. */
  readonly trustedDocuments?: TrustedDocuments;
}

/**
 * Starts listening: HTTP, SSE and WebSocket on one port. Disposing it lets requests in flight
 * finish, for the farewell time at most. Errors: ConfigError for HOST and PORT.
 */
export async function startServer(
  gateway: Gateway,
  address: Address,
  hub: EventHub,
  parts: ServerParts = {},
): Promise<RunningServer> {
  const { logger = createLogger('silent'), limits = usualLimits() } = parts;
  const { corsOrigins, trustedDocuments = noTrustedDocuments } = parts;
  const listener = withPlainTarget(withUsableHost(traceRequests(countStatements(gateway))));
  const isWebSocket = isWebSocketAt(gateway.graphqlEndpoint);
  const http = createHttpServer(
    {
      keepAliveTimeout: keepAliveMilliseconds,
      // Node would refuse a request without Host with a bare status line; the listener explains the refusal.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => isWebSocket(request) && hasUsableHost(request),
    },
    listener,
  );
  answerUnreadableRequests(http);
  const connections = trackConnections(http);
  const port = await listen(http, address);
  const websocket = serveWebSocket(http, gateway, hub, {
    logger,
    limits,
    corsOrigins,
    trustedDocuments,
  });

  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    drain: connections.drain,
    async [Symbol.asyncDispose]() {
      const finished = Promise.all([websocket.dispose(), connections.finish()]).then(() =>
        gateway.dispose(),
      );
      await Promise.race([finished, sleep(longestFarewellMilliseconds, undefined, { ref: false })]);
      connections.destroy();
    },
  };
}
