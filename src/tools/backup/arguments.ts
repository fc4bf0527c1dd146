import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const backupUsage = `Usage: tollgate backup FILE [--verify]

  Writes all data of the database to FILE, a new .tar.gz, also while the service runs. FILE has personal data; it does
  not have SECRETS_KEY, which must be kept with it.

  --verify  restores FILE into an embedded database that is thrown away, compares the data, and checks the books
`;

export const restoreUsage = `Usage: tollgate restore FILE

  Reads FILE into an empty database: that of DATABASE_URL, or a new embedded one in DATA_DIR. Then compares the data
  with FILE and checks the books. The service must not run on it.
`;

export interface BackupRequest {
  readonly file: string;
  readonly verify: boolean;
}

/** Reads the command line; undefined for help. Errors: UsageError. */
export function parseBackupArguments(args: readonly string[]): BackupRequest | undefined {
  const { values, positionals } = readWithHelp(args, options);
  if (values.help) return undefined;
  return { file: oneFile(positionals), verify: values.verify ?? false };
}

/** Reads the command line; undefined for help. Errors: UsageError. */
export function parseRestoreArguments(args: readonly string[]): { file: string } | undefined {
  const { values, positionals } = readWithHelp(args, options);
  if (values.verify) throw new UsageError('Each restore is verified: leave --verify out');
  return values.help ? undefined : { file: oneFile(positionals) };
}

function oneFile([file = '', ...rest]: readonly string[]): string {
  if (file === '') throw new UsageError('The name of a file is missing');
  if (rest.length > 0) throw new UsageError(`There is no argument ${rest[0]}`);
  return file;
}

const options = { verify: { type: 'boolean' } } as const;
