import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of the project, whatever the working directory of the process. */
export const baseDir = path.resolve(import.meta.dirname, '../../..');

/** The names of all migrations that this code has, in their order. */
export const knownMigrations: readonly string[] = readdirSync(path.join(baseDir, 'src/migrations'))
  .filter((file) => /^Migration\d+\.[jt]s$/.test(file))
  .map(migrationName)
  .toSorted();

/** The applied migrations that this code does not have: a newer version has applied them. */
export function unknownMigrations(applied: readonly string[]): string[] {
  const known = new Set(knownMigrations);
  return applied.map(migrationName).filter((name) => !known.has(name));
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
