import type { ExecutionResult } from 'graphql';
import * as ws from 'ws';

/** The part of the library that its types leave out: it frames a message. */
const { Sender } = ws as unknown as {
  readonly Sender: { frame(data: Buffer, options: object): readonly Buffer[] };
};
const textMessage = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true };

/** About as much is written at a time, so that a client that does not read takes no more memory. */
const longestBytes = 256 * 1024;

/** Messages of `graphql-transport-ws` with some results, as bytes of one write. */
interface Frames {
  readonly results: readonly ExecutionResult[];
  /** The id of the operation as JSON, and the places where the bytes have it. */
  readonly id: string;
  readonly places: readonly number[];
  readonly bytes: Buffer;
}

/** Results as JSON: those that many clients share are written once. */
const texts = new WeakMap<ExecutionResult, string>();
/** Frames by the first of their results. */
const known = new WeakMap<ExecutionResult, Map<string, Frames>>();

/**
 * The messages that give results to the operation with an id, for as many of the results as one write has. Clients that
 * get the same results get the same bytes, or a copy with another id.
 */
export function framesOf(
  results: readonly [ExecutionResult, ...ExecutionResult[]],
  operationId: string,
): { readonly bytes: Buffer; readonly count: number } {
  const id = JSON.stringify(operationId);
  const [first] = results;
  const ofFirst = known.get(first) ?? new Map<string, Frames>();
  known.set(first, ofFirst);
  const length = Buffer.byteLength(id);
  const key = `${length} ${results.length}`;
  let frames = ofFirst.get(key);
  if (!frames || !beginsWith(results, frames.results)) {
    frames = frame(results, id);
    ofFirst.set(key, frames);
  }
  return {
    bytes: frames.id === id ? frames.bytes : copyFor(id, frames),
    count: frames.results.length,
  };
}

const beginsWith = (all: readonly object[], first: readonly object[]) =>
  first.every((one, place) => one === all[place]);

function frame(results: readonly ExecutionResult[], id: string): Frames {
  const parts: Buffer[] = [];
  const places: number[] = [];
  let length = 0;
  for (const result of results) {
    if (length >= longestBytes) break;
    const text = `{"id":${id},"type":"next","payload":${textOf(result)}}`;
    const [header, message] = Sender.frame(Buffer.from(text), textMessage) as [Buffer, Buffer];
    parts.push(header, message);
    places.push(length + header.length + '{"id":'.length);
    length += header.length + message.length;
  }
  return { results: results.slice(0, places.length), id, places, bytes: Buffer.concat(parts) };
}

/** The same messages with an id that takes as many bytes. */
function copyFor(id: string, { bytes, places }: Frames): Buffer {
  const copy = Buffer.from(bytes);
  const own = Buffer.from(id);
  for (const place of places) copy.set(own, place);
  return copy;
}

function textOf(result: ExecutionResult): string {
  const text = texts.get(result) ?? JSON.stringify(result);
  texts.set(result, text);
  return text;
}
