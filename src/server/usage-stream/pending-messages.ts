import type { EntityManager } from '@mikro-orm/postgresql';
import { cursorOf } from '#domain/recording/inbox/stream-cursor.ts';
import type { Ready } from './nats-stream.ts';

/** The messages of a partition that are not in the inbox. */
export interface PendingMessages {
  readonly partition: string;
  readonly messages: number;
  /** The age of the oldest one; 0 without any. */
  readonly ageSeconds: number;
  /** How many messages the stream has lost before they were in the inbox. */
  readonly missing: number;
}

/** The messages of each partition that are not in the inbox. Errors: those of JetStream and of the database. */
export async function pendingMessages(
  { client, partitions }: Ready,
  em: EntityManager,
): Promise<PendingMessages[]> {
  const { streams } = await client.jetstreamManager(false);
  const found: PendingMessages[] = [];
  for (const { name, stream } of partitions) {
    const { state } = await streams.info(name);
    const { sequence, missing } = await cursorOf(em, stream);
    const messages = Math.max(0, state.last_seq - sequence);
    const seq = Math.max(sequence + 1, state.first_seq);
    const oldest = messages > 0 ? await streams.getMessage(name, { seq }) : null;
    const ageSeconds = oldest ? Math.max(0, (Date.now() - oldest.time.getTime()) / 1_000) : 0;
    found.push({ partition: name, messages, ageSeconds, missing });
  }
  return found;
}
