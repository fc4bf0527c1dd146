import { readWithHelp } from '../tools/read-arguments.ts';
import type { Program } from '../tools/terminal.ts';
import { UsageError } from '../tools/user-error.ts';

const usage = `Usage: tollgate open [--no-browser]

  Prints a link that signs in to the dashboard, and opens it where there is a browser.
  The link has the key of KEY in the environment, or a new one for test mode, which is valid for a day.
  URL (or PORT) names the service. --no-browser prints the link only.
`;

/** `tollgate open` prints a link that signs in to the dashboard, and opens it. */
export const program: Program = {
  usage,
  async run(terminal) {
    const options = { 'no-browser': { type: 'boolean', default: false } } as const;
    const { values, positionals } = readWithHelp(terminal.args, options);
    if (values.help) return void terminal.print(usage);
    if (positionals.length > 0) throw new UsageError(`There is no argument ${positionals[0]}`);
    // Loaded only now, so that bad arguments are refused at once.
    const { runOpen } = await import('../tools/open/run-open.ts');
    await runOpen(terminal, { opensBrowser: !values['no-browser'] });
    return 0;
  },
};
