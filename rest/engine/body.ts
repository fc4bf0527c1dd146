import { refuse } from './errors.ts';
import { parseJson } from './json.ts';

/** Whether a `Content-Length` is above the limit. */
const isTooLarge = (announced: string, limitBytes: number) => Number(announced) > limitBytes;

const longestRestBytes = 32 * 1024 * 1024;

/** Refuses a body that is compressed. Errors: BAD_REQUEST. */
export function refuseEncoded(request: Request) {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return;
  throw refuse(
    'BAD_REQUEST',
    `Content-Encoding ${encoding} is not supported: send the body unencoded`,
  );
}

/** Up to this size a body is decoded at once. */
const smallBytes = 256 * 1024;

/** The body as text, or undefined when it is larger than the limit. A large body is decoded as it arrives. */
export async function boundedText(
  request: Request,
  limitBytes: number,
): Promise<string | undefined> {
  const announced = request.headers.get('content-length');
  if (announced && isTooLarge(announced, limitBytes)) return undefined;
  if (announced && !isTooLarge(announced, smallBytes)) return request.text();
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts: string[] = [];
  let bytes = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes <= limitBytes) texts.push(decoder.decode(chunk, { stream: true }));
    // A sender hears the answer only when it has sent what it has; there is an end to that, too.
    if (bytes > limitBytes + longestRestBytes) return undefined;
  }
  return bytes > limitBytes ? undefined : texts.join('') + decoder.decode();
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
