import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient, PubAck } from '@nats-io/jetstream';
import {
  partitionCount,
  type StreamPlace,
  streamUnavailable,
  type UsageStream,
} from '#domain/recording/inbox/usage-stream.ts';
import { Batching } from '#engines/batching/batching.ts';
import { runningTime } from '#engines/process/running-time.ts';
import { encode } from './message.ts';
import type { Partition } from './prepare-streams.ts';

/** The parts of JetStream that are there while the connection and the streams have been checked. */
export interface Ready {
  readonly client: JetStreamClient;
  readonly partitions: readonly Partition[];
  readonly largestMessage: number;
}

const attemptMilliseconds = 2_000;
/** An election of a new leader takes seconds. */
const longestMilliseconds = 8_000;
const pauseMilliseconds = 100;
/** Room for the headers of a message. */
const headerBytes = 512;

/**
 * Usage in JetStream: a message has the calls that arrived together. `ready` is undefined while it cannot be used;
 * unless it `isSafe`, usage that has been accepted is read, and no more is.
 */
export function createNatsStream(
  ready: () => Ready | undefined,
  isSafe: () => boolean,
): UsageStream {
  const ends = Array.from(
    { length: partitionCount },
    (_, partition) =>
      // Those who ask while a mark is on its way share the next one.
      new Batching<undefined, StreamPlace>(
        async (asked) => {
          const place = await markEnd(partition);
          return asked.map(() => place);
        },
        { workers: 2, crowd: 2, most: 1_000 },
      ),
  );

  return {
    async append(partition, calls) {
      const { largestMessage } = here();
      if (!isSafe()) throw streamUnavailable('The stream of accepted usage could lose it');
      const bytes = await encode(calls);
      if (bytes.length > largestMessage - headerBytes) {
        if (calls.length === 1) return calls;
        const half = calls.length >> 1;
        const halves = [calls.slice(0, half), calls.slice(half)];
        const left = await Promise.all(halves.map((some) => this.append(partition, some)));
        return left.flat();
      }
      const msgID = createHash('sha256').update(bytes).digest('base64url');
      await publish(partition, bytes, { msgID });
      return [];
    },
    end: (partition) => (ends[partition] as Batching<undefined, StreamPlace>).add(undefined),
  };

  function here(): Ready {
    const found = ready();
    if (!found) throw streamUnavailable('The stream of accepted usage cannot be reached');
    return found;
  }

  /**
   * An acknowledged message is behind all that were acknowledged before, whatever leads the stream. The state that a
   * leader states is not: it may have been replaced without knowing it.
   */
  async function markEnd(partition: number): Promise<StreamPlace> {
    const { ack, stream } = await publish(partition, new Uint8Array(), {});
    return { stream, sequence: ack.seq - 1 };
  }

  async function publish(partition: number, bytes: Uint8Array, id: { msgID?: string }) {
    const deadline = runningTime() + longestMilliseconds;
    for (;;) {
      const { client, partitions } = here();
      const { name, subject, stream } = partitions[partition] as Partition;
      try {
        const expect = { streamName: name };
        const options = { ...id, expect, timeout: attemptMilliseconds };
        const ack: PubAck = await client.publish(subject, bytes, options);
        return { ack, stream };
      } catch (error) {
        if (runningTime() > deadline) {
          throw streamUnavailable('The stream of accepted usage does not acknowledge', error);
        }
        await sleep(pauseMilliseconds);
      }
    }
  }
}
