import type { OpenArchive } from '#domain/kernel/lists/archive.ts';
import { historyFilesOf } from '#domain/metering/history/history-file.ts';
import { historyList } from '#domain/metering/history/history-list.ts';
import { readUsageEvents } from './read-usage-events.ts';

/** Opens the usage events of the session that have left the database for files. */
export const openUsageHistory: OpenArchive = async (session) => {
  const files = await historyFilesOf(session);
  if (files.length === 0) return undefined;
  return {
    version: files.map(({ path }) => path).join(),
    of: (list) => historyList(session, files, list),
    async positionOf(id) {
      const [event] = await readUsageEvents(session, [id]);
      return event?.position;
    },
  };
};
