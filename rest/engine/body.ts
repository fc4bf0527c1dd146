import { IncomingMessage } from 'node:http';
import { refuse } from './errors.ts';
import { parseJson } from './json.ts';

const longestRestBytes = 32 * 1024 * 1024;
/** So much of a body is read of any caller; the caller of a longer one is known first. */
const smallBytes = 64 * 1024;

/** Refuses a body that is compressed. Errors: BAD_REQUEST. */
export function refuseEncoded(request: Request) {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return;
  throw refuse(
    'BAD_REQUEST',
    `Content-Encoding ${encoding} is not supported: send the body unencoded`,
  );
}

/** The part of a body that has arrived: all of it, more than the limit, or less than its sender meant to send. */
export type Arrival = 'whole' | 'too large' | 'cut';

/** The refusal of a body that is `cut`, for people. */
export const cutBody = 'The body did not arrive whole: send the request again';

/**
 * Reads a body in parts. `cut` is one whose connection has ended, also after its last byte, whose chunks have no end, or
 * that has another length than it announces: nothing may be executed for it. `beforeMore` runs once, before more than
 * 64 KiB are read. Errors: those of `beforeMore`.
 */
export async function readBody(
  request: Request,
  limitBytes: number,
  take: (part: Uint8Array) => void,
  beforeMore?: () => unknown,
): Promise<Arrival> {
  const announced = request.headers.get('content-length');
  if (announced && Number(announced) > limitBytes) return 'too large';
  if (announced && beforeMore && Number(announced) > smallBytes) await beforeMore();
  // A body that a caller within the process has made may have texts.
  const body = request.body as unknown as AsyncIterable<Uint8Array | string> | null;
  let bytes = 0;
  const parts = body?.[Symbol.asyncIterator]();
  for (;;) {
    // The client is gone, and its own request is all that fails.
    const part = await parts?.next().catch(() => undefined);
    if (parts && !part) return 'cut';
    if (!part || part.done) break;
    const value = typeof part.value === 'string' ? Buffer.from(part.value) : part.value;
    const next = bytes + value.byteLength;
    if (!announced && beforeMore && bytes <= smallBytes && next > smallBytes) await beforeMore();
    bytes = next;
    if (bytes <= limitBytes) take(value);
    // A sender hears the answer only when it has sent what it has; there is an end to that, too.
    if (bytes > limitBytes + longestRestBytes) {
      await parts?.return?.();
      return 'too large';
    }
  }
  if (bytes > limitBytes) return 'too large';
  return isComplete(request, bytes) ? 'whole' : 'cut';
}

/**
 * Whether a body that has ended has all its bytes: from the network by the rules of HTTP, for chunks with the last one,
 * and from another stream as many as were announced. A text within the process cannot be cut.
 */
function isComplete(request: Request, bytes: number): boolean {
  const { bodyInit } = request as { readonly bodyInit?: unknown };
  if (bodyInit instanceof IncomingMessage) return bodyInit.complete;
  const announced = typeof bodyInit === 'string' ? null : request.headers.get('content-length');
  return announced === null || Number(announced) === bytes;
}

/**
 * The body as text, or undefined when it is larger than the limit. It is decoded as it arrives. Errors: BAD_REQUEST for
 * one that did not arrive whole; those of `beforeMore`, which runs before more than 64 KiB are read.
 */
export async function boundedText(
  request: Request,
  limitBytes: number,
  beforeMore?: () => unknown,
): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts: string[] = [];
  const take = (part: Uint8Array) => void texts.push(decoder.decode(part, { stream: true }));
  const arrival = await readBody(request, limitBytes, take, beforeMore);
  if (arrival === 'cut') throw refuse('BAD_REQUEST', cutBody);
  return arrival === 'whole' ? texts.join('') + decoder.decode() : undefined;
}

/** The object that a body is; an empty body is an empty object. Errors: BAD_REQUEST. */
export async function objectIn(text: string): Promise<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const body = await json(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse('BAD_REQUEST', 'The body must be a JSON object');
  }
  return body as Record<string, unknown>;
}

async function json(text: string): Promise<unknown> {
  try {
    return await parseJson(text);
  } catch (error) {
    const { name, message } = error as Error;
    const problem = name === 'SyntaxError' ? `is not JSON: ${message}` : message;
    throw refuse('BAD_REQUEST', `The body ${problem}`);
  }
}
