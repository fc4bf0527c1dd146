import type { IncomingMessage, RequestListener } from 'node:http';

const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Reads requests as HTTP defines them where Node leaves that to the listener. The absolute form of a target
 * (`GET http://host/path`) is the path, its host replaces the Host header, and HEAD is GET: Node has decided
 * already that this answer goes out without its body.
 */
export function withPlainTarget(listener: RequestListener): RequestListener {
  return (request, response) => {
    const [, host, path = ''] = absolute.exec(request.url ?? '') ?? [];
    if (host !== undefined) {
      request.url = path.startsWith('/') ? path : `/${path}`;
      request.headers.host = host;
    }
    if (request.method === 'HEAD') request.method = 'GET';
    return listener(request, response);
  };
}

/**
 * Whether a connection is to become a WebSocket, which it can at one path. HTTP lets a server ignore all other upgrades, such as the `h2c`
 * that Java's HTTP client and curl offer with each request: those are answered as if nothing was offered.
 */
export const isWebSocketAt =
  (path: string) =>
  ({ method, url, headers }: IncomingMessage) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    url?.replace(/\?.*$/s, '') === path;
