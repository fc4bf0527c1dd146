import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { error, type Finding, ok, warning } from './finding.ts';

const mebibyte = 1024 ** 2;

interface Row {
  readonly path: string;
  readonly bytes: number;
  readonly problem: string | null;
}

/**
 * Checks that the files of old usage are there with the sizes that they were written with. The nightly job compares their
 * contents, and its results are here, too.
 */
export async function checkHistoryFolder(
  em: EntityManager,
  {
    historyDir,
    usageEventMonths,
    databaseUrl,
  }: Pick<Config, 'historyDir' | 'usageEventMonths' | 'databaseUrl'>,
): Promise<Finding[]> {
  const rows = await em.execute<Row[]>(
    'select path, bytes::float8 as bytes, problem from usage_history_file order by path',
  );
  if (historyDir === undefined) {
    if (rows.length > 0) {
      return [
        error(
          `${rows.length} files of old usage cannot be read`,
          'set HISTORY_DIR to their folder',
        ),
      ];
    }
    return usageEventMonths > 0 && databaseUrl
      ? [
          warning(
            'Months older than USAGE_EVENT_MONTHS are detached, and their events are not listed',
            'set HISTORY_DIR to a folder that all processes share (guide "History")',
          ),
        ]
      : [];
  }
  if (rows.length === 0) return [];
  const findings = await Promise.all(rows.map((row) => check(historyDir, row)));
  const found = findings.filter((finding) => finding !== undefined);
  const sum = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const summary = `${rows.length} files of old usage with ${Math.ceil(sum / mebibyte)} MiB in HISTORY_DIR ${historyDir}`;
  const unnamed = await filesWithoutRow(historyDir, new Set(rows.map(({ path }) => path)));
  return [
    ...(found.length > 0 ? found : [ok(summary)]),
    ...(unnamed.length > 0
      ? [
          warning(
            `${unnamed.length} files in HISTORY_DIR belong to no month of this database, such as ${unnamed[0]}`,
            'delete them, unless another database uses them',
          ),
        ]
      : []),
  ];
}

async function check(
  folder: string,
  { path: name, bytes, problem }: Row,
): Promise<Finding | undefined> {
  const advice = 'restore the file from a copy (guide "History")';
  const size = await stat(path.join(folder, name)).then(
    ({ size }) => size,
    (cause: NodeJS.ErrnoException) => cause.code ?? cause.message,
  );
  if (typeof size === 'string') return error(`${name} cannot be read: ${size}`, advice);
  if (size !== bytes) return error(`${name} has ${size} bytes instead of ${bytes}`, advice);
  return problem === null ? undefined : error(problem, advice);
}

async function filesWithoutRow(folder: string, named: ReadonlySet<string>): Promise<string[]> {
  // An absent folder has no files, and another check reports it.
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.parquet') && !named.has(name));
}
