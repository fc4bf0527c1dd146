import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the event happens in time. */
export async function within(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: timer.signal });
  try {
    return await Promise.race([event.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Whether the condition becomes true in time. */
export async function comesTrue(
  milliseconds: number,
  isTrue: () => Promise<boolean>,
): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!(await isTrue())) {
    if (Date.now() >= deadline) return false;
    await sleep(20);
  }
  return true;
}
