import { expect, test } from 'vitest';
import { runningTime } from '#engines/process/running-time.ts';
import { comesTrue, within } from '#server/embedded-postgres/waiting.ts';

const freeze = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

test('a wait does not count the time for which its process was frozen', async () => {
  const began = runningTime();
  freeze(1_500);
  expect(runningTime() - began).toBeLessThan(300);
  const event = Promise.withResolvers<void>();
  const happens = within(1_000, event.promise);
  let looks = 0;
  const isTrue = comesTrue(1_000, async () => ++looks > 2);
  freeze(1_500);
  // It happens after the timers of the wait.
  setTimeout(event.resolve, 50);
  expect(await happens).toBe(true);
  expect(await isTrue).toBe(true);
});

test('a wait ends after the time for which its process has run', async () => {
  const began = performance.now();
  expect(await within(300, new Promise(() => {}))).toBe(false);
  expect(await comesTrue(300, async () => false)).toBe(false);
  expect(performance.now() - began).toBeGreaterThanOrEqual(600);
});
