import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { JetStreamClient } from '@nats-io/jetstream';
import { takeArrived, takeElsewhere } from '#domain/recording/inbox/forwarded-usage.ts';
import { writePresent } from '#domain/recording/inbox/stream-cursor.ts';
import { partitionOf } from '#domain/recording/inbox/usage-stream.ts';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import { encode } from './message.ts';
import { subjectOf } from './prepare-streams.ts';

export interface ForwardOptions {
  readonly em: EntityManager;
  readonly client: JetStreamClient;
  readonly stop: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

const pauseMilliseconds = 1_000;
/** After a failure others are tried less often. */
const longPauseMilliseconds = 10_000;
const timeoutMilliseconds = 2_000;

/**
 * Forwards kept usage to the streams of the cells that have its organizations, until `stop`. Usage of those that have
 * arrived here is written. A call may be forwarded twice; its transaction ids count once.
 */
export async function forwardUsage({ em, client, stop, onFailure }: ForwardOptions): Promise<void> {
  while (!stop.aborted) {
    let pause = pauseMilliseconds;
    for (const some of [writeArrived, forwardElsewhere]) {
      try {
        while (!stop.aborted && (await some(em, client)) > 0);
      } catch (error) {
        onFailure(error);
        pause = longPauseMilliseconds;
      }
    }
    await sleepUnless(stop, pause);
  }
}

const writeArrived = (em: EntityManager): Promise<number> =>
  em.fork().transactional(async (em) => {
    const calls = await takeArrived(em);
    await writePresent(em, calls);
    return calls.length;
  });

const forwardElsewhere = (em: EntityManager, client: JetStreamClient): Promise<number> =>
  em.fork().transactional(async (em) => {
    const calls = await takeElsewhere(em);
    for (const { cell, ...call } of calls) {
      const bytes = await encode([call]);
      const msgID = createHash('sha256').update(bytes).digest('base64url');
      const subject = subjectOf(cell, partitionOf(call));
      await client.publish(subject, bytes, { msgID, timeout: timeoutMilliseconds });
    }
    return calls.length;
  });
