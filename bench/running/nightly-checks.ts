import { checkBalances } from '#domain/metering/commands/usage-balances/check-balances.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { connect } from '#server/database/database.ts';

/**
 * Executes the checks of the nightly jobs after a benchmark that has moved money or usage: the books of all customers,
 * and all balances of usage. Prints how many agree. Errors: the first difference.
 */
export async function checkNightly(databaseUrl: string) {
  const orm = await connect({ databaseUrl, poolSize: 2 });
  try {
    const failed = (error: unknown) => {
      throw error;
    };
    const { customers, differences } = await checkBooks(orm.em.fork(), new Date(), 'bench', failed);
    if (differences > 0) throw new Error(`The books of ${differences} customers differ`);
    const balances = await checkBalances(orm.em.fork(), new Date(0));
    process.stdout.write(
      `nightly checks   ${customers} customers and ${balances} balances agree\n`,
    );
  } finally {
    await orm.close();
  }
}
