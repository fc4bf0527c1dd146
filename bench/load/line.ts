import { once } from 'node:events';
import net from 'node:net';
import type { MeasuredService } from '../running/service.ts';

/** A connection that sends one call after another; plain, so that the load takes little of the processors. */
export interface Line extends AsyncDisposable {
  /** Sends JSON, and waits until the response is complete. Errors: a response with another status. */
  send(body: Buffer): Promise<void>;
}

const lastChunk = '\r\n0\r\n\r\n';

interface Expected {
  readonly status: number;
  /** Further lines of the head, each with its end. */
  readonly headers?: string;
}

/** Opens a connection for POST requests to a path below `/api/v1`. */
export async function lineTo(
  { url, key }: Pick<MeasuredService, 'url' | 'key'>,
  path: string,
  { status, headers = '' }: Expected = { status: 200 },
): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname).setNoDelay();
  await once(socket, 'connect');
  const head = `POST /api/v1${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${headers}content-length: `;
  let answered = Promise.withResolvers<void>();
  /** The bytes of the response that are left: null before its head, infinite for one in chunks. */
  let left: number | null = null;
  let end = '';
  socket.on('error', (error) => answered.reject(error));
  socket.on('data', (chunk) => {
    if (left === null) {
      const text = chunk.toString('latin1');
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Infinity;
      if (!text.startsWith(`HTTP/1.1 ${status}`))
        return answered.reject(new Error(`${path}: ${text}`));
      left = text.indexOf('\r\n\r\n') + 4 + Number(length);
    }
    left -= chunk.length;
    end = (end + chunk.subarray(-lastChunk.length).toString('latin1')).slice(-lastChunk.length);
    if (left === Infinity ? end !== lastChunk : left > 0) return;
    left = null;
    answered.resolve();
  });
  return {
    send(body) {
      answered = Promise.withResolvers();
      socket.cork();
      socket.write(`${head}${body.length}\r\n\r\n`, 'latin1');
      socket.write(body);
      socket.uncork();
      return answered.promise;
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}
