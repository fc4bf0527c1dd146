import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';

const folder = path.join(root, 'src/migrations');

/** The migration that makes the whole schema of version 0.1.0. Databases of that version have its name, too. */
export const baseline = 'Migration20270114010000';

/** The files of SQL by the names that a database keeps of them. Each of them changes the schema by one step. */
const files: ReadonlyMap<string, string> = new Map([
  [baseline, 'baseline.sql'],
  ...readdirSync(folder)
    .filter((file) => /^\d+-/.test(file))
    .toSorted()
    .map((file) => [`Migration${Number.parseInt(file, 10)}`, file] as const),
]);

/**
 * The names of all migrations in their order: the baseline, then the files `<number>-<words>.sql`. Their numbers begin
 * with 3001, so that an earlier version takes the names for newer than its own, and refuses the database.
 */
export const knownMigrations: readonly string[] = [...files.keys()];

/** The statements of a known migration. */
export const statementsOf = (name: string): Promise<string> =>
  readFile(path.join(folder, files.get(name) as string), 'utf8');

/** Whether a database is of a version before the baseline, which cannot be migrated. */
export const isTooOld = (applied: readonly string[]) =>
  applied.length > 0 && !applied.map(migrationName).includes(baseline);

/** The applied migrations that this code does not have: a newer version has applied them. */
export function unknownMigrations(applied: readonly string[]): string[] {
  const known = new Set(knownMigrations);
  return applied.map(migrationName).filter((name) => name > baseline && !known.has(name));
}

/** The migrations of this code that a database lacks. */
export function pendingMigrations(applied: readonly string[]): string[] {
  const there = new Set(applied.map(migrationName));
  return knownMigrations.filter((name) => !there.has(name));
}

/** The name of a migration without its file extension, which older databases may contain. */
function migrationName(name: string) {
  return name.replace(/\.[jt]s$/, '');
}
