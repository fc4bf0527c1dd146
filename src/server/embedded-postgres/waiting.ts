import { setTimeout as sleep } from 'node:timers/promises';
import { runningTime } from '#engines/process/running-time.ts';

const stepMilliseconds = 50;

/** Whether the event happens in time, while this process runs. */
export async function within(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const deadline = runningTime() + milliseconds;
  const end = Promise.withResolvers<false>();
  const timer = setInterval(() => {
    if (runningTime() >= deadline) end.resolve(false);
  }, stepMilliseconds);
  try {
    return await Promise.race([event.then(() => true), end.promise]);
  } finally {
    clearInterval(timer);
  }
}

/** Whether the condition becomes true in time, while this process runs. */
export async function comesTrue(
  milliseconds: number,
  isTrue: () => Promise<boolean>,
): Promise<boolean> {
  const deadline = runningTime() + milliseconds;
  while (!(await isTrue())) {
    if (runningTime() >= deadline) return false;
    await sleep(20);
  }
  return true;
}
