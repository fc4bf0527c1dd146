import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Where the project is, wherever the process was started. */
export const baseDir = path.resolve(import.meta.dirname, '../../..');

/** The names of all migrations that this code has, in their order. */
export const knownMigrations: readonly string[] = readdirSync(path.join(baseDir, 'src/migrations'))
  .filter((file) => /^Migration\d+\.[jt]s$/.test(file))
  .map(migrationName)
  .toSorted();

/** Those of the applied migrations that this code does not have: a newer version has made them. */
export function unknownMigrations(applied: readonly string[]): string[] {
  const known = new Set(knownMigrations);
  return applied.map(migrationName).filter((name) => !known.has(name));
}

/** Those of the migrations of this code that are missing in a database. */
export function pendingMigrations(applied: readonly string[]): string[] {
  const there = new Set(applied.map(migrationName));
  return knownMigrations.filter((name) => !there.has(name));
}

/** The name of a migration without the ending of its file, which older databases may have with it. */
function migrationName(name: string) {
  return name.replace(/\.[jt]s$/, '');
}
