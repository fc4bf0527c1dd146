import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure } from '#domain/kernel/database-failure.ts';

const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 5_000;

/** How long a result is tried to be stored: `isOver` ends that early. */
interface Patience {
  readonly milliseconds: number;
  readonly isOver: () => boolean;
}

/**
 * Stores what only this process knows, such as that a mail server has accepted a mail. It is repeated while the database
 * fails. Errors: the failure, after the patience, and every other error.
 */
export async function untilStored<T>(
  { milliseconds, isOver }: Patience,
  store: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + milliseconds;
  for (
    let pause = firstPauseMilliseconds;
    ;
    pause = Math.min(2 * pause, longestPauseMilliseconds)
  ) {
    try {
      return await store();
    } catch (error) {
      const isLast = isOver() || performance.now() + pause > until;
      if (isLast || databaseFailure(error) === undefined) throw error;
    }
    await sleep(pause, undefined, { ref: false });
  }
}
