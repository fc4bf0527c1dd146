import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';
import type { Tenant } from './inbox-part.ts';
import { cursorOf } from './stream-cursor.ts';
import { streamedModels } from './streamed-models.ts';
import { partitionOf, streamUnavailable, usageStream } from './usage-stream.ts';

const longestWaitMilliseconds = 5_000;
const longestPauseMilliseconds = 50;

/**
 * Waits until the inbox has all usage of a marked pricing model that the stream accepted before this call. Errors:
 * SERVICE_UNAVAILABLE when the stream cannot be asked, or its messages are not moved in time.
 */
export async function passStream(
  em: EntityManager,
  model: Pick<Tenant, 'pricingModelId'>,
): Promise<void> {
  const stream = usageStream();
  if (!stream) {
    throw streamUnavailable(
      'Usage of this pricing model may wait in a stream, which this process does not know: set NATS_URLS',
    );
  }
  const end = await stream.end(partitionOf(model));
  const deadline = performance.now() + longestWaitMilliseconds;
  for (let pause = 1; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    const { sequence } = await cursorOf(em, end.stream);
    if (sequence >= end.sequence) return;
    if (performance.now() > deadline) {
      throw streamUnavailable('Accepted usage is still on its way to the database');
    }
    await sleep(pause);
  }
}

/** The same for a pricing model that is marked; at once for another one. */
export async function passStreamIfMarked(
  em: EntityManager,
  model: Pick<Tenant, 'pricingModelId'>,
): Promise<void> {
  const [marked] = await streamedModels(em, [model.pricingModelId]);
  if (marked) await passStream(em, model);
}

/** The last position of the inbox if anything waits, and whether usage may wait in the stream. */
export async function stateOfInbox(
  em: EntityManager,
  { pricingModelId }: Pick<Tenant, 'pricingModelId'>,
): Promise<{ position: string | null; streamed: boolean }> {
  const [row] = await statement<{ position: string | null; streamed: boolean }>(
    em,
    'state of the inbox',
    `select (select position from usage_event_inbox where pricing_model_id = $1
         order by position desc limit 1) as position,
       exists (select from usage_stream_model where pricing_model_id = $1) as streamed`,
    [pricingModelId],
  );
  return row ?? { position: null, streamed: false };
}
