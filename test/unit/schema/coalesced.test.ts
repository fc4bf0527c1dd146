import { expect, test } from 'vitest';
import { throttled } from '#engines/live/throttled.ts';

/** A source that a test feeds by hand. */
function aSource() {
  const waiting: PromiseWithResolvers<IteratorResult<unknown>>[] = [];
  const source = {
    left: false,
    next() {
      const asked = Promise.withResolvers<IteratorResult<unknown>>();
      waiting.push(asked);
      return asked.promise;
    },
    async return() {
      source.left = true;
      for (const { resolve } of waiting.splice(0)) resolve({ done: true, value: undefined });
      return { done: true, value: undefined } as const;
    },
  };
  return {
    source,
    async tell() {
      await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
      waiting.shift()?.resolve({ done: false, value: {} });
    },
    async fail(error: Error) {
      await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
      waiting.shift()?.reject(error);
    },
  };
}

const settled = (promise: Promise<unknown>, milliseconds: number) =>
  Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, false)),
  ]);

test('tells at once, then of many changes once, a pause later', async () => {
  const { source, tell } = aSource();
  const throttledValues = throttled(source, 1_000);
  const start = Date.now();
  expect((await throttledValues.next()).done).toBe(false);
  expect(Date.now() - start).toBeLessThan(900);
  for (let count = 0; count < 5; count++) await tell();
  await throttledValues.next();
  expect(Date.now() - start).toBeGreaterThanOrEqual(995);
  expect(await settled(throttledValues.next(), 250)).toBe(false);
});

test('tells of a change after a quiet time at once', async () => {
  const { source, tell } = aSource();
  const throttledValues = throttled(source, 50);
  await throttledValues.next();
  const next = throttledValues.next();
  expect(await settled(next, 80)).toBe(false);
  await tell();
  expect(await settled(next, 40)).toBe(true);
});

test('a client that leaves waits for nothing and leaves what it follows', async () => {
  const { source, tell } = aSource();
  const throttledValues = throttled(source, 60_000);
  await throttledValues.next();
  const idle = throttledValues.next();
  await tell();
  await throttledValues.return?.();
  expect(await idle).toEqual({ done: true, value: undefined });
  expect(await throttledValues.next()).toEqual({ done: true, value: undefined });
  expect(source.left).toBe(true);
});

test('fails with what it follows, once, even within a pause', async () => {
  const { source, fail } = aSource();
  const throttledValues = throttled(source, 60_000);
  await throttledValues.next();
  const next = throttledValues.next();
  await fail(new Error('gone'));
  await expect(next).rejects.toThrow('gone');
  expect(await throttledValues.next()).toEqual({ done: true, value: undefined });
});
