import { baseline, migrations } from '../../migrations/migrations.ts';

/** The names of all migrations that this code has, in their order. */
export const knownMigrations: readonly string[] = migrations.map(({ name }) => name);

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
