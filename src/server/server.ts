import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveWebSocket } from './websocket.ts';
import type { Gateway } from './yoga.ts';

const longestFarewellMilliseconds = 10_000;

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts listening: HTTP, SSE and WebSocket on one port. Disposing it lets requests in flight finish. */
export async function startServer(
  gateway: Gateway,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  const http = createHttpServer(gateway);
  const websocket = serveWebSocket(http, gateway);
  http.listen(port, host);
  await once(http, 'listening');
  const address = http.address() as AddressInfo;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      await websocket.dispose();
      http.closeIdleConnections();
      await Promise.race([closed, farewell(http)]);
      http.closeAllConnections();
      await gateway.dispose();
    },
  };
}

/** Keep-alive connections go as soon as they are idle; nobody holds the process up for longer than this. */
async function farewell(http: Server) {
  const until = Date.now() + longestFarewellMilliseconds;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    http.closeIdleConnections();
  }
}
