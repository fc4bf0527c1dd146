import type { ExecutionResult } from 'graphql';
import * as ws from 'ws';
import { Attached } from '#domain/kernel/reads/attached.ts';

/** The part of the library that its types leave out: it frames a message. */
const { Sender } = ws as unknown as {
  readonly Sender: { frame(data: Buffer, options: object): readonly Buffer[] };
};
const textMessage = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true };

/** About as much is written at a time, so that a client that does not read takes no more memory. */
const longestBytes = 256 * 1024;

/** So many are kept for the clients that follow: a part of the memory that does not grow with the number of clients. */
const mostKept = 16;

/** Messages of `graphql-transport-ws` with some results, as bytes of one write. */
interface Frames {
  readonly results: readonly ExecutionResult[];
  /** How many results were to be written. */
  readonly asked: number;
  /** The id of the operation as JSON, and the places where the bytes have it. */
  readonly id: Buffer;
  readonly places: readonly number[];
  readonly bytes: Buffer;
}

/** Results as JSON: those that many clients share are written once. */
const texts = new Attached<ExecutionResult, string>();
/** The latest first. */
const kept: Frames[] = [];

/**
 * The messages that give results to the operation with an id, for as many of the results as one write has. Clients that
 * get the same results get the same bytes, or a copy with another id.
 */
export function framesOf(
  results: readonly ExecutionResult[],
  operationId: string,
): { readonly bytes: Buffer; readonly count: number } {
  const id = Buffer.from(JSON.stringify(operationId));
  const frames = kept.find((one) => isFor(one, results, id)) ?? frame(results, id);
  if (!kept.includes(frames)) kept.unshift(frames);
  kept.length = Math.min(kept.length, mostKept);
  return {
    bytes: frames.id.equals(id) ? frames.bytes : copyFor(id, frames),
    count: frames.results.length,
  };
}

const isFor = (frames: Frames, results: readonly ExecutionResult[], id: Buffer) =>
  frames.asked === results.length &&
  frames.id.length === id.length &&
  frames.results.every((one, place) => one === results[place]);

function frame(results: readonly ExecutionResult[], id: Buffer): Frames {
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
  const written = results.slice(0, places.length);
  return { results: written, asked: results.length, id, places, bytes: Buffer.concat(parts) };
}

/** The same messages with an id that takes as many bytes. */
function copyFor(id: Buffer, { bytes, places }: Frames): Buffer {
  const copy = Buffer.from(bytes);
  for (const place of places) copy.set(id, place);
  return copy;
}

function textOf(result: ExecutionResult): string {
  const text = texts.get(result) ?? JSON.stringify(result);
  texts.set(result, text);
  return text;
}
