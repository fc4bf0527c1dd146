import { readConfig } from '#config';
import type { Program } from '#server/terminal.ts';
import { parseRestoreArguments, restoreUsage as usage } from '../backup/arguments.ts';
import { runRestore } from '../backup/run-restore.ts';

/** `npm run restore` makes a database from a backup. */
export const program: Program = {
  usage,
  async run({ args, environment, print }) {
    const request = parseRestoreArguments(args);
    if (request) await runRestore(request.file, readConfig(environment), print);
    else print(usage);
    return 0;
  },
};
