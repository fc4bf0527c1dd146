import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { useHistory } from '#domain/metering/history/history-settings.ts';
import { addUsageEventMonths } from '#domain/recording/commands/usage-events/usage-event-months.ts';
import type { Archiving } from '#server/history/archive-month.ts';
import { archiveUsageEventMonths } from '#server/history/archive-months.ts';

/** A folder for the history of this process, until the end of the test. */
export async function aHistoryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-history-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  useHistory({ folder, limitSeconds: 30 });
  return folder;
}

/** Moves events to an old month such as `2021-01`, as if they had been recorded then. */
export async function recordedIn({ em }: Session, month: string, ids: readonly string[]) {
  await addUsageEventMonths(em, new Date(`${month}-10T03:00:00Z`));
  for (const table of ['usage_event', 'usage_event_key']) {
    await em.execute(
      `update ${table} set recorded_at = (?::timestamp + (recorded_at - date_trunc('day', recorded_at))) at time zone 'UTC'
       where id in (${ids.map(() => '?').join(', ')})`,
      [`${month}-09`, ...ids],
    );
  }
}

interface Archived extends Pick<Archiving, 'onStep'> {
  readonly now?: Date;
}

/** Moves all months before the last one to files. Returns the names of their tables. Errors: the first failure. */
export async function archive(
  { em }: Session,
  folder: string,
  { now = new Date(), onStep }: Archived = {},
): Promise<string[]> {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const archiving = { folder, onFailure, ...(onStep && { onStep }) };
  const gone = await archiveUsageEventMonths(em.fork(), now, 1, archiving);
  if (failures.length > 0) throw failures[0];
  return gone;
}
