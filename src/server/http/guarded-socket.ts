import { WebSocket } from 'ws';
import { RateLimit } from './rate-limit.ts';

/** The limit of a socket before its key is known: the message with the key. */
const firstMessageBytes = 16 * 1024;
/** The messages a second of a client, with 10 times as many after a pause. */
const messagesPerSecond = 200;

/** The close code for a client that exceeds its limits; it may connect again later. */
export const tooManyRequests = 4429;

/** A socket that passes messages on while its client keeps within the limits. */
export class GuardedSocket extends WebSocket {
  /** Whether its key is known. */
  isAdmitted = false;
  readonly #messages = new RateLimit({
    perSecond: messagesPerSecond,
    burst: messagesPerSecond * 10,
  });

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'message') {
      if (this.readyState !== WebSocket.OPEN) return false;
      const [data] = values as [{ byteLength?: number }];
      if (!this.isAdmitted && (data.byteLength ?? 0) > firstMessageBytes) {
        this.close(1009, 'Connect first');
        return false;
      }
      if (this.#messages.take('') > 0) {
        this.close(tooManyRequests, 'Too many requests');
        return false;
      }
    }
    return super.emit(event, ...values);
  }
}
