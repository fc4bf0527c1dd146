import type { ArchivedReading, ArchivedRows, CreationPlace } from '#domain/kernel/lists/archive.ts';
import type { Span } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { selectedColumns, tableRow } from './columns.ts';
import { conditionsOf, type UsageConditions } from './conditions.ts';
import type { Row } from './engine.ts';
import type { HistoryFile } from './history-file.ts';
import { sqlInstant, sqlText } from './sql-text.ts';
import { readHistory } from './usage-history.ts';

const dayMilliseconds = 86_400_000;
/** By how much the time span of a search grows that has found too few rows. */
const growth = 8;

/** The events of a list that are in files. */
export function historyList(
  session: Session,
  files: readonly HistoryFile[],
  list: UsageConditions,
): ArchivedRows {
  const spans = spansOf(list);
  const wanted = files.filter(
    (file) =>
      overlaps(spans.createdAt, file.firstCreatedAt, file.lastCreatedAt) &&
      overlaps(spans.usageDate, file.firstUsageDate, file.lastUsageDate),
  );
  const conditions = conditionsOf(session, list);
  return {
    rows: (reading) => readRows(session, wanted, conditions, reading),
    async count() {
      if (isWhole(session, list)) return sumOf(wanted, session.pricingModelId);
      const [row] = await readHistory<{ count: number }>(
        session,
        wanted,
        (source) => `select count(*)::double as count from ${source} where ${conditions}`,
      );
      return row?.count ?? 0;
    },
  };
}

/** Whether the list has no condition of its own, so that the numbers of the files are its length. */
const isWhole = ({ customerId }: Session, { where }: UsageConditions) =>
  customerId === undefined && Object.values(where ?? {}).every((value) => value == null);

const sumOf = (files: readonly HistoryFile[], pricingModelId: string) =>
  files.reduce((sum, { eventsOf }) => sum + (eventsOf[pricingModelId] ?? 0), 0);

interface Spans {
  readonly createdAt: Span;
  readonly usageDate: Span;
}

function spansOf({ where }: UsageConditions): Spans {
  const { createdAt, usageDate } = (where ?? {}) as Partial<Spans>;
  return { createdAt: createdAt ?? {}, usageDate: usageDate ?? {} };
}

const overlaps = ({ from, to }: Span, first: number, last: number) =>
  (from == null || from.getTime() <= last) && (to == null || to.getTime() > first);

/**
 * The rows of a page. The search reads spans of time that begin at the cursor and grow. So a page reads the groups of
 * rows of a day or a few, and not whole files.
 */
async function readRows(
  session: Session,
  files: readonly HistoryFile[],
  conditions: string,
  { descending, after, before, limit }: ArchivedReading,
): Promise<UsageEvent[]> {
  // With the order reversed, `after` is a place before which rows are.
  const [low, high] = descending ? [before, after] : [after, before];
  const places = [...(low ? [pastSql('>', low)] : []), ...(high ? [pastSql('<', high)] : [])];
  const first = Math.max(
    Math.min(...files.map(({ firstCreatedAt }) => firstCreatedAt)),
    low?.createdAt ?? -Infinity,
  );
  const last = Math.min(
    Math.max(...files.map(({ lastCreatedAt }) => lastCreatedAt)),
    high?.createdAt ?? Infinity,
  );
  const events: UsageEvent[] = [];
  let width = dayMilliseconds;
  let at = descending ? last : first;
  while (events.length < limit && (descending ? at >= first : at <= last)) {
    const [from, to] = descending ? [at - width + 1, at] : [at, at + width - 1];
    const within = [...places, `created_at between ${sqlInstant(from)} and ${sqlInstant(to)}`].join(
      ' and ',
    );
    const found = await readHistory<Row>(
      session,
      files.filter((file) => file.firstCreatedAt <= to && file.lastCreatedAt >= from),
      (source) => `select ${selectedColumns} from ${source} where ${conditions} and ${within}
        order by ${orderSql(descending)} limit ${limit - events.length}`,
    );
    events.push(...found.map((row) => eventOf(session, row)));
    at = descending ? from - 1 : to + 1;
    width *= growth;
  }
  return events;
}

const orderSql = (descending: boolean) =>
  ['created_at', 'position', 'id'].map((name) => `${name}${descending ? ' desc' : ''}`).join(', ');

const pastSql = (sign: '<' | '>', { createdAt, position, id }: CreationPlace) =>
  `(created_at, position, id) ${sign} (${sqlInstant(createdAt)}::timestamp_ms, ${position}::bigint, ${sqlText(id)})`;

/** The event of a row of a file, as one of the table. */
export const eventOf = ({ em }: Session, row: Row): UsageEvent => em.map(UsageEvent, tableRow(row));
