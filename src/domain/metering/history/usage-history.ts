import { DomainError } from '#domain/kernel/errors.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { type Row, readDuckDb } from './engine.ts';
import type { HistoryFile } from './history-file.ts';
import { historySettings } from './history-settings.ts';
import { DamagedFile, requireIntact } from './intact-file.ts';
import { sqlText } from './sql-text.ts';

/**
 * Reads rows of files of old usage. `sql` gets the source of the rows. Errors: SERVICE_UNAVAILABLE for a file that is
 * missing or damaged, whose reason the log shows, and for reads that take too long.
 */
export async function readHistory<R extends Row>(
  session: Session,
  files: readonly HistoryFile[],
  sql: (source: string) => string,
): Promise<R[]> {
  if (files.length === 0) return [];
  const { folder, limitSeconds } = historySettings();
  if (folder === undefined)
    throw unreadable(session, files, new DamagedFile('HISTORY_DIR is not set'));
  const paths: string[] = [];
  for (const file of files) {
    try {
      paths.push(await requireIntact(folder, file));
    } catch (error) {
      throw unreadable(session, [file], error);
    }
  }
  try {
    const source = `read_parquet([${paths.map(sqlText).join(', ')}])`;
    return await readDuckDb<R>(folder, sql(source), limitSeconds);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw isOutOfMemory(error) ? tooLarge(error) : unreadable(session, files, error);
  }
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && /out of memory/i.test(error.message);

const tooLarge = (cause: unknown) =>
  new DomainError(
    'BAD_REQUEST',
    'The read of old usage needs more memory than it may use: name a subscription or a shorter time',
    { cause },
  );

function unreadable(session: Session, files: readonly HistoryFile[], cause: unknown): DomainError {
  report(session, files.map(({ path }) => path).join(', '), cause);
  const months = files.map(({ month }) => month.slice(0, 7)).join(', ');
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    `Usage events of ${months} cannot be read: their file is missing or damaged. Restrict the time to other months, and ask the operator of this service to restore the file`,
    { cause },
  );
}
