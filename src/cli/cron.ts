import type { Program } from '../tools/terminal.ts';
import { UsageError } from '../tools/user-error.ts';

const usage = `Usage: tollgate cron

  Runs the scheduled jobs alone until Ctrl-C, next to processes with CRON=off.
`;

/** `tollgate cron` runs the scheduled jobs, as `npm run cron` does in a clone. */
export const program: Program = {
  usage,
  async run({ args, print }) {
    if (args.length > 0) {
      if (args[0] !== '--help') throw new UsageError('cron takes no arguments');
      return void print(usage);
    }
    await import('../main.ts');
    return Number(process.exitCode ?? 0);
  },
};
