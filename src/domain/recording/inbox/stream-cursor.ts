import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';
import { keepOfMoved } from './forwarded-usage.ts';
import { writeUsage } from './insert-usage.ts';
import type { AcceptedCall } from './usage-stream.ts';

/** A process that does not renew its lease of a stream for this long has ended. */
const leaseSeconds = 10;

/** How far the messages of a stream are in the inbox. */
export interface StreamCursor {
  /** All messages up to this sequence are; 0 before the first. */
  readonly sequence: number;
  /** How many messages the stream has lost before they were. */
  readonly missing: number;
}

/** The cursor of a stream. */
export async function cursorOf(em: EntityManager, stream: string): Promise<StreamCursor> {
  const [row] = await statement<{ sequence: string; missing: string }>(
    em,
    'cursor of a usage stream',
    'select sequence, missing from usage_stream_cursor where stream = $1',
    [stream],
  );
  return { sequence: Number(row?.sequence ?? 0), missing: Number(row?.missing ?? 0) };
}

/**
 * Takes or renews the lease of a stream, so that one process moves its messages. Returns the cursor; undefined while
 * another process has the lease. It only prevents repeated work: `moveUsage` is exact without it.
 */
export async function leaseStream(
  em: EntityManager,
  stream: string,
  holder: string,
): Promise<number | undefined> {
  const [row] = await statement<{ sequence: string }>(
    em,
    'lease of a usage stream',
    `insert into usage_stream_cursor as cursor (stream, holder, until)
     values ($1, $2, clock_timestamp() + interval '${leaseSeconds} s')
     on conflict (stream) do update set holder = excluded.holder, until = excluded.until
     where cursor.holder is null or cursor.holder = excluded.holder or cursor.until < clock_timestamp()
     returning sequence`,
    [stream, holder],
  );
  return row && Number(row.sequence);
}

/** Ends the lease, so that another process need not wait for its end. */
export async function releaseStream(em: EntityManager, stream: string, holder: string) {
  const sql = 'update usage_stream_cursor set holder = null where stream = $1 and holder = $2';
  await statement(em, undefined, sql, [stream, holder]);
}

/** Consecutive messages of a stream: those after `from`, up to `to`. */
export interface Run {
  readonly stream: string;
  readonly from: number;
  readonly to: number;
  readonly calls: readonly AcceptedCall[];
  /** How many messages are missing in it. */
  readonly missing: number;
}

/**
 * Writes the calls of a run into the inbox, and moves the cursor of its stream, in one transaction. Returns false, and
 * writes nothing, if the cursor is elsewhere: another process has moved messages. So each message is moved once. Calls of
 * organizations of other cells are kept apart. Errors: `isRefusedByMove` while an organization among them is frozen.
 */
export function moveUsage(em: EntityManager, run: Run): Promise<boolean> {
  const { stream, from, to, calls, missing } = run;
  return em.fork().transactional(async (em) => {
    const moved = await statement(
      em,
      'move of a usage stream',
      `update usage_stream_cursor set sequence = $3, missing = missing + $4
       where stream = $1 and sequence = $2 returning sequence`,
      [stream, from, to, missing],
    );
    if (moved.length === 0) return false;
    await writePresent(em, await keepOfMoved(em, calls));
    return true;
  });
}

/** Writes calls whose pricing model has not been deleted since they were accepted. */
export async function writePresent(em: EntityManager, calls: readonly AcceptedCall[]) {
  const wanted = await ofPresentModels(em, calls);
  if (wanted.length > 0) await writeUsage(em, wanted);
}

async function ofPresentModels(em: EntityManager, calls: readonly AcceptedCall[]) {
  if (calls.length === 0) return calls;
  const ids = [...new Set(calls.map(({ pricingModelId }) => pricingModelId))];
  const rows = await statement<{ id: string }>(
    em,
    'pricing models of streamed calls',
    'select id from pricing_model where id = any($1::text[])',
    [ids],
  );
  const present = new Set(rows.map(({ id }) => id));
  return calls.filter(({ pricingModelId }) => present.has(pricingModelId));
}
