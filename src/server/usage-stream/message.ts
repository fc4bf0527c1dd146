import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { AcceptedCall } from '#domain/recording/inbox/usage-stream.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** The first byte of a message: processes of several versions may share a stream. */
const version = 1;
/** The fastest level: events of a call resemble each other so much that others save little. */
const level = 1;

/** The calls of a message, as bytes. */
export async function encode(calls: readonly AcceptedCall[]): Promise<Buffer> {
  return Buffer.concat([Buffer.from([version]), await deflate(JSON.stringify(calls), { level })]);
}

/** The calls in a message; none in an empty one, which marks a place. Errors: a message of an unknown version. */
export async function decode(bytes: Uint8Array): Promise<AcceptedCall[]> {
  if (bytes.length === 0) return [];
  if (bytes[0] !== version) {
    throw new Error(`A usage message has the version ${bytes[0]}, which a newer process writes`);
  }
  const calls = JSON.parse((await inflate(bytes.subarray(1))).toString()) as AcceptedCall[];
  return calls.map((call) => ({ ...call, acceptedAt: new Date(call.acceptedAt) }));
}
