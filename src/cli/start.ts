import type { Program } from '../tools/terminal.ts';
import { UsageError } from '../tools/user-error.ts';

const usage = `Usage: tollgate start

  Runs the service until Ctrl-C. Settings in the environment change it, such as PORT, DATA_DIR and DATABASE_URL.
`;

/** `tollgate start` runs the service, as `npm start` does in a clone. */
export const program: Program = {
  usage,
  async run({ args, print }) {
    if (args.length > 0) {
      if (args[0] !== '--help') throw new UsageError('start takes no arguments');
      return void print(usage);
    }
    await import('../main.ts');
    return Number(process.exitCode ?? 0);
  },
};
