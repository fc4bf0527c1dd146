import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { useHistory } from '#domain/metering/history/history-settings.ts';

/**
 * Sets the folder of the history of this process. Returns the work of its jobs; undefined without a folder. The writer is
 * loaded by the first job that uses it.
 */
export function openHistory({
  historyDir: folder,
  operationTimeLimitSeconds: limitSeconds,
}: Pick<Config, 'historyDir' | 'operationTimeLimitSeconds'>) {
  useHistory({ folder, limitSeconds });
  if (folder === undefined) return undefined;
  return {
    async archiveMonths(em: EntityManager, now: Date, months: number, onFailure: OnFailure) {
      const { archiveUsageEventMonths } = await import('./archive-months.ts');
      return archiveUsageEventMonths(em, now, months, { folder, onFailure });
    },
    async check(em: EntityManager, now: Date, onFailure: OnFailure) {
      const { checkHistory } = await import('./check-history.ts');
      return checkHistory(em, now, folder, onFailure);
    },
  };
}
