import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { checkFile, DamagedFile } from '#domain/metering/history/intact-file.ts';

/** How long one run reads files; the next run continues with the others. */
const longestMilliseconds = 30 * 60_000;
const portion = 100;

interface Checked {
  readonly organizationId: string;
  readonly livemode: boolean;
  readonly month: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Reads the files of old usage, those first that wait longest, and compares each with the content that was written. The
 * row of a file keeps the problem; each problem is reported. Returns the number of checked and of damaged files.
 */
export async function checkHistory(
  em: EntityManager,
  now: Date,
  folder: string,
  onFailure: OnFailure,
): Promise<{ files: number; damaged: number }> {
  const end = performance.now() + longestMilliseconds;
  let [files, damaged] = [0, 0];
  for (;;) {
    const rows = await em.execute<Checked[]>(
      `select organization_id as "organizationId", livemode, month::text as month, path, bytes::float8 as bytes, sha256
       from usage_history_file where coalesce(checked_at, '-infinity') < ?
       order by checked_at nulls first, organization_id, livemode, month limit ${portion}`,
      [now],
    );
    for (const file of rows) {
      if (performance.now() > end) return { files, damaged };
      const problem = await problemOf(folder, file);
      const { organizationId, livemode, month } = file;
      await em.execute(
        `update usage_history_file set checked_at = ?, problem = ?
         where organization_id = ? and livemode = ? and month = ?`,
        [now, problem?.message ?? null, organizationId, livemode, month],
      );
      if (problem) onFailure(problem, { id: file.path, organizationId, livemode });
      files += 1;
      damaged += problem ? 1 : 0;
    }
    if (rows.length < portion) return { files, damaged };
  }
}

async function problemOf(folder: string, file: Checked): Promise<Error | undefined> {
  try {
    await checkFile(folder, file);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedFile) return error;
    throw error;
  }
}
