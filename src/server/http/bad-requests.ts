import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { newRequestId } from './request-id.ts';

const body = (message: string) => JSON.stringify({ code: 'BAD_REQUEST', message, issues: [] });

/** Refuses requests without a usable URL, on which later code would fail with an undocumented message. */
export function withUsableHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasUsableHost(request)) return listener(request, response);
    response.writeHead(400, {
      'x-request-id': newRequestId(),
      'content-type': 'application/json',
      connection: 'close',
    });
    response.end(body('The request must have one Host header with a valid host name'));
  };
}

/**
 * Whether a request has exactly one Host header that makes a valid URL: programs read two differently (RFC 9112,
 * section 3.2). HTTP/1.0 needs none. An upgrade without one is served as an ordinary request.
 */
export function hasUsableHost({
  headers: { host = '' },
  httpVersion,
  rawHeaders,
}: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    // Few names are this short, so few are converted to lower case.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isOne = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isOne && host !== '' && URL.canParse(`http://${host}/`);
}

/** Responds to input that is not HTTP in the documented shape, too; Node would close with a bare status line. */
export function answerUnreadableRequests(http: Server) {
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const text = body('The request is not valid HTTP');
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nx-request-id: ${newRequestId()}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
    );
  });
}
