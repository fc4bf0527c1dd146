import type { Session } from '#domain/kernel/session.ts';
import { type HistoryFile, historyFilesOf } from './history-file.ts';

/**
 * Reads events of the table and of files. A month moves from the one to the other in one transaction, so a read during
 * which one has moved is repeated.
 */
export async function readWithFiles<T>(
  session: Session,
  read: (files: readonly HistoryFile[]) => Promise<T>,
): Promise<T> {
  for (let files = await historyFilesOf(session); ; ) {
    const result = await read(files);
    const present = await historyFilesOf(session);
    if (present.length === files.length) return result;
    files = present;
  }
}
