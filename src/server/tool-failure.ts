import { ConfigError } from '#config';
import { DomainError } from '#domain/kernel/errors.ts';
import { DataDirError } from './embedded-postgres/data-dir-lock.ts';
import { UsageError } from './usage-error.ts';

/** Ends a command line tool with an error: one line for those that its user can correct, else the stack. */
export function failTool(error: unknown, usage = '') {
  process.exitCode = 1;
  process.stderr.write(textOf(error, usage));
}

function textOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  const expected = [ConfigError, DataDirError, DomainError].some((type) => error instanceof type);
  return `${expected ? explain(error as Error) : ((error as Error).stack ?? error)}\n`;
}

function explain(error: Error) {
  const issues = error instanceof DomainError ? error.issues : [];
  const details = issues.flatMap(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : [],
  );
  return [error.message, ...details].join(': ');
}
