import type { Scope, Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** A file of the usage events that an organization recorded in one mode and month. */
export interface HistoryFile {
  /** The first day of the month, such as `2026-01-01`. */
  readonly month: string;
  /** Below the folder of the history. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly events: number;
  /** The number of events of each pricing model. */
  readonly eventsOf: Readonly<Record<string, number>>;
  /** The first and the last of their instants, in milliseconds. */
  readonly firstCreatedAt: number;
  readonly lastCreatedAt: number;
  readonly firstUsageDate: number;
  readonly lastUsageDate: number;
}

const milliseconds = (column: string, name: string) =>
  `(extract(epoch from ${column}) * 1000)::float8 as "${name}"`;

/** The columns of a file, as SQL. */
export const historyFileColumns = `to_char(month, 'YYYY-MM-DD') as month, path, bytes::float8 as bytes, sha256,
  events::float8 as events, events_of as "eventsOf", ${[
    milliseconds('first_created_at', 'firstCreatedAt'),
    milliseconds('last_created_at', 'lastCreatedAt'),
    milliseconds('first_usage_date', 'firstUsageDate'),
    milliseconds('last_usage_date', 'lastUsageDate'),
  ].join(', ')}`;

/** The files with events of the session's pricing model, by month. */
export const historyFilesOf = ({
  em,
  organizationId,
  livemode,
  pricingModelId,
}: Pick<Session, 'em'> & Scope): Promise<HistoryFile[]> =>
  statement<HistoryFile>(
    em,
    'files of old usage',
    `select ${historyFileColumns} from usage_history_file
     where organization_id = $1 and livemode = $2 and events_of ? $3 order by month`,
    [organizationId, livemode, pricingModelId],
  );
