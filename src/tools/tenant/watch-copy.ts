import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '#config';
import type { CellClient } from './cell-database.ts';
import { releaseSlots } from './source-side.ts';
import { type CopyState, continueCopy, copyState } from './target-side.ts';

/** A row that is refused is refused each time; a connection that is lost is not. */
const mostInterruptions = 5;
const pauseMilliseconds = 1_000;

/** Returns how far a copy is. Errors: ConfigError after several errors of the copy without progress. */
export type CopyWatch = () => Promise<CopyState>;

/** Watches the copy of an organization. PostgreSQL stops it after any error; each look lets it continue. */
export function watchCopy(
  source: CellClient,
  target: CellClient,
  organizationId: string,
  report: (line: string) => void,
): CopyWatch {
  let interruptions = 0;
  let readyBefore = 0;
  return async () => {
    const state = await copyState(target, organizationId);
    if (state.isEnabled) return state;
    interruptions = state.ready > readyBefore ? 1 : interruptions + 1;
    readyBefore = state.ready;
    if (interruptions > mostInterruptions) {
      throw new ConfigError(
        'The other cell refuses a row, such as a value that another organization has there, or loses its connection to this cell each time: its log names the reason',
      );
    }
    report(
      'An error has stopped the copy, and it continues: the log of the other PostgreSQL names the error',
    );
    await sleep(pauseMilliseconds);
    await releaseSlots(source, organizationId, state.subscription);
    await continueCopy(target, organizationId);
    return { ...state, isEnabled: true };
  };
}
