import { DomainError } from '#domain/kernel/errors.ts';
import { endText } from '#server/process/end-text.ts';
import type { Program, Terminal } from '../tools/terminal.ts';
import { UsageError, UserError } from '../tools/user-error.ts';

/** Runs a program, and returns its exit code. An error is one line where its user can correct it, else the stack. */
export async function runProgram({ run, usage = '' }: Program, terminal: Terminal) {
  try {
    return (await run(terminal)) ?? 0;
  } catch (error) {
    terminal.tell(textOf(error, usage));
    return 1;
  }
}

function textOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof UserError) return `${error.message}\n`;
  return `${error instanceof DomainError ? explain(error) : endText(error)}\n`;
}

function explain(error: DomainError) {
  const details = error.issues.flatMap(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : [],
  );
  return [error.message, ...details].join(': ');
}
