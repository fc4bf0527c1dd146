import type { Duplex } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import type { WebSocket } from 'ws';
import type { LiveReader, Tapped } from '#engines/live/live-reader.ts';
import { cork } from './batch-sends.ts';
import { framesOf } from './result-frames.ts';

/** The way to the client of one operation. */
export interface DirectWay {
  readonly socket: WebSocket;
  /** The connection of the socket. */
  readonly stream: Duplex;
  /** The id of the operation on its socket. */
  readonly id: string;
}

/** The ways to the clients of subscriptions, by the context of each. */
const ways = new WeakMap<object, DirectWay>();
/** The readers that wait until their client has read. */
const waiting = new WeakMap<Duplex, Set<LiveReader<object>>>();

/** Lets the results of a subscription with this context go to its client without a promise for each. */
export const offerDirectWay = (context: object, way: DirectWay) => void ways.set(context, way);

/**
 * Sends the results of events directly where the client has such a way, those of many events together. The iterator of
 * the subscription delivers a result with errors and one that has to be awaited.
 */
export function deliverDirectly(
  events: LiveReader<object>,
  context: object,
  resultOf: (event: object) => ExecutionResult | Promise<ExecutionResult>,
) {
  const way = ways.get(context);
  if (!way) return;
  const { socket, stream, id } = way;
  events.tap((values): Tapped => {
    if (socket.readyState !== socket.OPEN) return { delivered: 0, isLater: false };
    if (stream.writableNeedDrain) {
      wakeAfterDrain(stream, events);
      return { delivered: 0, isLater: true };
    }
    const results = readyResults(values, resultOf);
    if (results.length === 0) return { delivered: 0, isLater: false };
    const { bytes, count } = framesOf(results, id);
    cork(stream);
    stream.write(bytes);
    const isLater = count < results.length;
    if (isLater) wakeAfterDrain(stream, events);
    return { delivered: count, isLater };
  });
}

/** The results of the first values, up to one with errors or one that has to be awaited. */
function readyResults(
  values: readonly object[],
  resultOf: (event: object) => ExecutionResult | Promise<ExecutionResult>,
): ExecutionResult[] {
  const results: ExecutionResult[] = [];
  for (const value of values) {
    const result = resultOf(value);
    if (result instanceof Promise || result.errors) break;
    results.push(result);
  }
  return results;
}

function wakeAfterDrain(stream: Duplex, reader: LiveReader<object>) {
  const there = waiting.get(stream);
  if (there) return void there.add(reader);
  const readers = new Set([reader]);
  waiting.set(stream, readers);
  stream.once('drain', () => {
    waiting.delete(stream);
    for (const reader of readers) reader.wake();
  });
}
