import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate scenario FILE...

  Executes scenarios in a database that is thrown away, and prints where invoices, balances and other records differ
  from those that the files expect. FILE is YAML; a folder means all of its .yaml and .yml files.

  The exit code is 1 when there is a difference, and 2 for a file that cannot be executed as it is written.
  The guide "Scenarios" describes the files.
`;

/** The files and folders of the command line; undefined for a call for help. Errors: UsageError. */
export function parseScenarioArguments(args: readonly string[]): readonly string[] | undefined {
  const { values, positionals } = readWithHelp(args, {});
  if (values.help) return undefined;
  if (positionals.length === 0) throw new UsageError('Name at least one file or folder');
  return positionals;
}

/** The numbers of scenarios by how they ended. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Files that cannot be executed as they are written. */
  readonly broken: number;
}

/** The exit code of the program. */
export function exitCodeOf({ failed, broken }: Tally): number {
  if (broken > 0) return 2;
  return failed > 0 ? 1 : 0;
}
