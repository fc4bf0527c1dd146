import type { EntityManager } from '@mikro-orm/postgresql';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { isRefusedByMove } from '#domain/kernel/absent-organizations.ts';
import {
  leaseStream,
  moveUsage,
  type Run,
  releaseStream,
} from '#domain/recording/inbox/stream-cursor.ts';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import { decode } from './message.ts';
import type { Partition } from './prepare-streams.ts';
import { readMessages } from './read-messages.ts';

export interface MoveOptions {
  readonly em: EntityManager;
  readonly client: JetStreamClient;
  readonly partition: Partition;
  readonly stop: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

const mostEvents = 20_000;
const leaseMilliseconds = 3_000;
const pauseMilliseconds = 500;
/** A gap may be that of one server: others are asked before it counts as a loss. */
const triesBeforeLoss = 5;

/** Another process moves the messages, or they are not consecutive. */
class Elsewhere extends Error {}

/**
 * Moves the messages of a partition into the inbox until `stop`: consecutive ones from the cursor on, each run with its
 * cursor in one transaction. One process does it at a time; the others look whether its lease has ended.
 */
export async function moveMessages(options: MoveOptions): Promise<void> {
  const { em, partition, stop, onFailure } = options;
  const holder = crypto.randomUUID();
  const gaps = { at: 0, tries: 0 };
  while (!stop.aborted) {
    try {
      const cursor = await leaseStream(em, partition.stream, holder);
      if (cursor !== undefined) await moveFrom(options, cursor, holder, gaps);
    } catch (error) {
      // The messages of a frozen organization wait for the end of its move.
      const waits = error instanceof Elsewhere || isRefusedByMove(error);
      if (!stop.aborted && !waits) onFailure(error);
    }
    await sleepUnless(stop, pauseMilliseconds);
  }
  // The lease ends by itself.
  await releaseStream(em, partition.stream, holder).catch(() => undefined);
}

async function moveFrom(
  options: MoveOptions,
  start: number,
  holder: string,
  gaps: { at: number; tries: number },
) {
  const { em, client, partition, stop, onFailure } = options;
  const { name, stream } = partition;
  const own = new AbortController();
  const end = () => own.abort();
  stop.addEventListener('abort', end);
  let lost: unknown;
  const renewing = setInterval(() => {
    leaseStream(em, stream, holder).then(
      (cursor) => {
        if (cursor === undefined) end();
      },
      (error) => {
        lost = error;
        end();
      },
    );
  }, leaseMilliseconds);
  try {
    let cursor = start;
    for await (const run of readMessages(client, name, start, own.signal)) {
      const [first] = run as [JsMsg];
      const missing = first.seq - cursor - 1;
      if (missing < 0 || (missing > 0 && isGap(gaps, cursor))) throw new Elsewhere();
      if (missing > 0) {
        onFailure(new Error(`${name} has lost the ${missing} messages after ${cursor}`));
      }
      const to = await move(em, { stream, from: cursor, missing }, run);
      if (to === undefined) throw new Elsewhere();
      cursor = to;
      // A message that is in the database is not needed here. The next purge includes those of a failed one.
      const manager = await client.jetstreamManager(false);
      manager.streams.purge(name, { seq: cursor + 1 }).catch(() => undefined);
    }
    if (lost) throw lost;
  } finally {
    clearInterval(renewing);
    stop.removeEventListener('abort', end);
  }
}

/** Whether to look again for the messages after a place. */
function isGap(gaps: { at: number; tries: number }, cursor: number) {
  gaps.tries = gaps.at === cursor ? gaps.tries + 1 : 1;
  gaps.at = cursor;
  return gaps.tries <= triesBeforeLoss;
}

/** Moves a run in transactions of a limited size. Returns the new cursor; undefined if it was elsewhere. */
async function move(
  em: EntityManager,
  { stream, from, missing }: Pick<Run, 'stream' | 'from' | 'missing'>,
  messages: readonly JsMsg[],
): Promise<number | undefined> {
  let cursor = from;
  let lost = missing;
  let calls: Run['calls'] = [];
  for (const [place, { seq, data }] of messages.entries()) {
    calls = [...calls, ...(await decode(data))];
    const isFull = calls.reduce((sum, { events }) => sum + events.length, 0) >= mostEvents;
    if (!isFull && place < messages.length - 1) continue;
    if (!(await moveUsage(em, { stream, from: cursor, to: seq, calls, missing: lost }))) {
      return undefined;
    }
    [cursor, calls, lost] = [seq, [], 0];
  }
  return cursor;
}
