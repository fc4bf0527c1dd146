import { readConfig } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { asksForHelp, asksForJson } from '../tools/read-arguments.ts';
import type { Program } from '../tools/terminal.ts';
import { jsonText } from '../tools/text-table.ts';
import { openToolDatabase } from '../tools/tool-database.ts';

const usage = `Usage: tollgate books [--json]

  Checks the books of all customers now. Each difference is a line. The exit code is 1 with any difference.
`;

/**
 * `tollgate books` checks the books of all customers now, also while a process of the service runs on the same database.
 * Each difference is a line on standard output, and any makes the exit code 1.
 */
export const program: Program = {
  usage,
  async run({ args, environment, print, tell }) {
    if (asksForHelp(args)) return void print(usage);
    const json = asksForJson(args);
    await using opened = new AsyncDisposableStack();
    const present = { now: new Date(), withoutKey: true };
    const { orm } = await openToolDatabase(opened, readConfig(environment), present);
    const found: string[] = [];
    const report = (error: unknown) => {
      const { message } = error as Error;
      found.push(message);
      if (!json) print(`${message}\n`);
    };
    const now = await presentOf(orm.em);
    const { customers, differences } = await checkBooks(orm.em.fork(), now, 'check-books', report);
    if (json) print(jsonText({ customers, differences: found }));
    else tell(`${customers} customers checked, ${differences} with a difference\n`);
    return differences > 0 ? 1 : 0;
  },
};
