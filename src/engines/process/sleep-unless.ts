import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, and less once `stop` is aborted: the loop of the caller then sees that it is to end. */
export const sleepUnless = (stop: AbortSignal, milliseconds: number): Promise<void> =>
  sleep(milliseconds, undefined, { signal: stop }).catch(() => undefined);
