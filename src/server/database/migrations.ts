import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '#root';

/** The names of all migrations that this code has, in their order. */
export const knownMigrations = migrationsIn('src/migrations');

function migrationsIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder))
    .filter((file) => /^Migration\d+\.[jt]s$/.test(file))
    .map(migrationName)
    .toSorted();
}

/** The migration that makes the whole schema of version 0.1.0. */
export const baseline = 'Migration20261122100000';
/** The oldest state that can be brought to the baseline is the one of this migration. */
const oldest = 'Migration20261121193000';

export const beforeBaselineFolder = 'src/migrations/before-baseline';

/** The steps from the oldest state to the baseline, in their order. A new database does not execute them. */
export const beforeBaseline = migrationsIn(beforeBaselineFolder);

/** Whether a database is of a version before the baseline. */
export const isBeforeBaseline = (applied: readonly string[]) =>
  applied.length > 0 && !applied.map(migrationName).includes(baseline);

/** Whether a database is of a version that cannot be brought to the baseline. */
export const isTooOld = (applied: readonly string[]) =>
  isBeforeBaseline(applied) && !applied.map(migrationName).includes(oldest);

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
