import { readConfig } from '#config';
import { parseBackupArguments, backupUsage as usage } from '../tools/backup/arguments.ts';
import { runBackup } from '../tools/backup/run-backup.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate backup` writes a file from which `tollgate restore` makes the same database. */
export const program: Program = {
  usage,
  async run({ args, environment, print }) {
    const request = parseBackupArguments(args);
    if (request) await runBackup(request, readConfig(environment), print);
    else print(usage);
    return 0;
  },
};
