import { DomainError } from '#domain/kernel/errors.ts';
import { endText } from './end-text.ts';
import { UsageError } from './usage-error.ts';

/** Ends a command line tool with an error: one line for those that its user can correct, else the stack. */
export function failTool(error: unknown, usage = '') {
  process.exitCode = 1;
  process.stderr.write(textOf(error, usage));
}

function textOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  return `${error instanceof DomainError ? explain(error) : endText(error)}\n`;
}

function explain(error: DomainError) {
  const details = error.issues.flatMap(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : [],
  );
  return [error.message, ...details].join(': ');
}
