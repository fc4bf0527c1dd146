import { readConfig } from '#config';
import { checkBooks } from '#domain/books/check-books.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { openToolDatabase } from '#server/tool-database.ts';
import { failTool } from '#server/tool-failure.ts';

/**
 * Checks the books of all customers now, also while a process of the service runs on the same database. Each
 * difference is a line on standard output, and any makes the exit code 1.
 */
async function run() {
  await using opened = new AsyncDisposableStack();
  const present = { now: new Date(), withoutKey: true };
  const { orm } = await openToolDatabase(opened, readConfig(), present);
  const tell = (error: unknown) => process.stdout.write(`${(error as Error).message}\n`);
  const now = await presentOf(orm.em);
  const { customers, differences } = await checkBooks(orm.em.fork(), now, 'check-books', tell);
  process.stderr.write(`${customers} customers checked, ${differences} with a difference\n`);
  if (differences > 0) process.exitCode = 1;
}

await run().catch((error) => failTool(error));
