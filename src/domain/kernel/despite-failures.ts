import { databaseFailure } from './database-failure.ts';

/** How often work is done in all. */
const mostTimes = 3;

/**
 * Does work on a record, and repeats it at once where the database has failed it: a connection that was cut states
 * nothing about the record. The work may have been committed, so it must recognize what it has done. Errors: refusals,
 * and the failure of the last time.
 */
export async function despiteFailures<T>(work: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    try {
      return await work();
    } catch (error) {
      if (time === mostTimes || databaseFailure(error) === undefined) throw error;
    }
  }
}
