import { readConfig } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import type { Program } from '../tools/terminal.ts';
import { openToolDatabase } from '../tools/tool-database.ts';

/**
 * `tollgate books` checks the books of all customers now, also while a process of the service runs on the same database.
 * Each difference is a line on standard output, and any makes the exit code 1.
 */
export const program: Program = {
  async run({ environment, print, tell }) {
    await using opened = new AsyncDisposableStack();
    const present = { now: new Date(), withoutKey: true };
    const { orm } = await openToolDatabase(opened, readConfig(environment), present);
    const report = (error: unknown) => print(`${(error as Error).message}\n`);
    const now = await presentOf(orm.em);
    const { customers, differences } = await checkBooks(orm.em.fork(), now, 'check-books', report);
    tell(`${customers} customers checked, ${differences} with a difference\n`);
    return differences > 0 ? 1 : 0;
  },
};
