import type { Session } from '#domain/kernel/session.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { selectedColumns } from './columns.ts';
import { tenantConditions } from './conditions.ts';
import type { Row } from './engine.ts';
import { type HistoryFile, historyFileColumns } from './history-file.ts';
import { eventOf } from './history-list.ts';
import { sqlInstant, sqlList } from './sql-text.ts';
import { readHistory } from './usage-history.ts';

interface Found extends HistoryFile {
  readonly ids: string[];
  readonly from: number;
  readonly to: number;
}

/**
 * Reads events by their ids from the files of the session's organization and mode. Their keys are still in the database:
 * they lead to the months, and to the groups of rows there.
 */
export async function historyEvents(
  session: Session,
  ids: readonly string[],
): Promise<UsageEvent[]> {
  if (ids.length === 0) return [];
  const { em, organizationId, livemode, pricingModelId } = session;
  const found = await statement<Found>(
    em,
    'files of usage events by id',
    `select ${historyFileColumns}, k.ids, k."from", k."to" from (
       select date_trunc('month', recorded_at at time zone 'UTC')::date as of, array_agg(id) as ids,
         (extract(epoch from min(created_at)) * 1000)::float8 as "from",
         (extract(epoch from max(created_at)) * 1000)::float8 as "to"
       from usage_event_key where id = any($1::text[]) group by 1) k
       join usage_history_file f on f.organization_id = $2 and f.livemode = $3 and f.month = k.of and f.events_of ? $4`,
    [ids, organizationId, livemode, pricingModelId],
  );
  const events: UsageEvent[] = [];
  for (const { ids, from, to, ...file } of found) {
    const conditions = [
      ...tenantConditions(session),
      `created_at between ${sqlInstant(from)} and ${sqlInstant(to)}`,
      `id in ${sqlList(ids)}`,
    ];
    const rows = await readHistory<Row>(
      session,
      [file],
      (source) => `select ${selectedColumns} from ${source} where ${conditions.join(' and ')}`,
    );
    events.push(...rows.map((row) => eventOf(session, row)));
  }
  return events;
}
