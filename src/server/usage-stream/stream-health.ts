import type { Ready } from './nats-stream.ts';

/** A stream of a partition as its leader states it. */
export interface StreamHealth {
  readonly partition: string;
  /** The server that leads it; undefined while none does. */
  readonly leader: string | undefined;
  /** The other servers that keep it. */
  readonly copies: readonly StreamCopy[];
  /** How many readers it has: the process that moves its messages is one. */
  readonly consumers: number;
}

interface StreamCopy {
  readonly server: string;
  /** Whether it has everything that the leader has acknowledged, and answers. */
  readonly isCurrent: boolean;
  /** The number of operations that it lacks. */
  readonly lag: number;
}

/** The state of each stream. Errors: those of JetStream. */
export async function streamHealth({
  client,
  partitions,
}: Pick<Ready, 'client' | 'partitions'>): Promise<StreamHealth[]> {
  const { streams } = await client.jetstreamManager(false);
  const found: StreamHealth[] = [];
  for (const { name } of partitions) {
    const { cluster, state } = await streams.info(name);
    const copies = (cluster?.replicas ?? []).map(({ name: server, current, offline, lag }) => ({
      server,
      isCurrent: current && offline !== true,
      lag: lag ?? 0,
    }));
    // A server outside of a cluster leads all of its streams.
    const leader = cluster === undefined ? 'the server' : cluster.leader || undefined;
    found.push({ partition: name, leader, copies, consumers: state.consumer_count });
  }
  return found;
}
