import { readConfig } from '#config';
import { parseRestoreArguments, restoreUsage as usage } from '../tools/backup/arguments.ts';
import { runRestore } from '../tools/backup/run-restore.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate restore` makes a database from a backup. */
export const program: Program = {
  usage,
  async run({ args, environment, print }) {
    const request = parseRestoreArguments(args);
    if (request) await runRestore(request.file, readConfig(environment), print);
    else print(usage);
    return 0;
  },
};
