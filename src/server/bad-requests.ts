import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { markWithRequestId, newRequestId } from './request-id.ts';

const body = (message: string) => JSON.stringify({ code: 'BAD_REQUEST', message, issues: [] });

/** Keeps requests that no URL can be made of away from what would fail on them with its own words. */
export function withUsableHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    markWithRequestId(response);
    if (isUsable(request)) return listener(request, response);
    response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
    response.end(body('The request must have one Host header with a valid host name'));
  };
}

/** A request with two Host headers means different hosts to different programs (RFC 9112, section 3.2). */
const isUsable = ({ headers: { host = '' }, headersDistinct }: IncomingMessage) =>
  host !== '' && headersDistinct.host?.length === 1 && URL.canParse(`http://${host}/`);

/** Answers in the documented shape what is not HTTP, too; Node would close with a bare status line. */
export function answerUnreadableRequests(http: Server) {
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const text = body('The request is not valid HTTP');
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nx-request-id: ${newRequestId()}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
    );
  });
}
