import type { IncomingMessage, RequestListener } from 'node:http';

const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Reads requests as HTTP defines them where Node leaves that to the listener. The absolute form of a target (`GET
 * http://host/path`) becomes the path, and its host replaces the Host header. HEAD becomes GET: Node sends the
 * response without its body. HTTP/1.0, which HAProxy uses to check a server, needs no Host header: the address of this
 * end of the connection takes its place.
 */
export function withPlainTarget(listener: RequestListener): RequestListener {
  return (request, response) => {
    const [, host, path = ''] = absolute.exec(request.url ?? '') ?? [];
    if (host !== undefined) {
      request.url = path.startsWith('/') ? path : `/${path}`;
      request.headers.host = host;
    }
    if (request.httpVersion === '1.0') request.headers.host ??= hostOf(request);
    if (request.method === 'HEAD') request.method = 'GET';
    return listener(request, response);
  };
}

function hostOf({ socket: { localAddress = '', localPort } }: IncomingMessage): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Whether a request upgrades to a WebSocket, which is possible at one path. HTTP lets a server ignore all other
 * upgrades, such as the `h2c` of Java's HTTP client and curl: such requests are served without the upgrade.
 */
export const isWebSocketAt =
  (path: string) =>
  ({ method, url, headers }: IncomingMessage) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    url?.replace(/\?.*$/s, '') === path;
