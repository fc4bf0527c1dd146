import { Readable } from 'node:stream';
import { endOfPiece } from './fingerprint.ts';
import { inSlices } from './slices.ts';

/** From how many items on a list is written in slices. */
const longList = 500;
const itemsAtOnce = 50;

/** Writes an answer as JSON. Long lists directly in it are written in slices. */
export function written(body: unknown): string | Promise<string> {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > longList;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  if (isLong(body)) return inSlices(writeList(body as unknown[]));
  return Object.values(body).some(isLong) ? inSlices(writeObject(body)) : JSON.stringify(body);
}

/** Texts are added, not joined: V8 copies a large text once then, when it is read. */
function* writeObject(body: object): Generator<void, string> {
  let text = '';
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${text && ','}${JSON.stringify(key)}:`;
    text += Array.isArray(value) ? yield* writeList(value) : JSON.stringify(value);
  }
  return `{${text}}`;
}

function* writeList(list: readonly unknown[]): Generator<void, string> {
  let text = '';
  for (let from = 0; from < list.length; from += itemsAtOnce) {
    const items = JSON.stringify(list.slice(from, from + itemsAtOnce)).slice(1, -1);
    text += `${text && ','}${items}`;
    yield;
  }
  return `[${text}]`;
}

/** Up to this length a text is sent at once. */
const smallLength = 1024 * 1024;
const pieceLength = 256 * 1024;

/**
 * A text as the body of an answer: at once, with its length, or encoded in slices while it is
 * sent.
 */
export function bodyOfAnswer(text: string): { body: BodyInit; headers: Record<string, string> } {
  if (text.length > smallLength) {
    const body = Readable.from(piecesOf(text), { objectMode: false }) as unknown as BodyInit;
    return { body, headers: {} };
  }
  // With its length the answer is sent in one packet; without it in five.
  return { body: text, headers: { 'content-length': String(Buffer.byteLength(text)) } };
}

function* piecesOf(text: string): Generator<Buffer> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + pieceLength);
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}
