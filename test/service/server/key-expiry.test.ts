import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { presentAfresh } from '#domain/kernel/values/present.ts';
import { onExpiry } from '#server/feed/key-expiry.ts';
import { test } from '../../support/test.ts';

const hour = 3_600_000;

/** The clock of this process shows another time until the test ends. */
function skewBy(milliseconds: number) {
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + milliseconds);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('a process with a fast clock ends nothing of a key that is valid by the database', async ({
  database: { orm },
}) => {
  const end = vi.fn();
  const at = new Date((await presentAfresh(orm.em)).getTime() + hour / 2);
  skewBy(hour);
  const stop = onExpiry(orm.em, at, end);
  await sleep(200);
  stop();
  expect(end).not.toHaveBeenCalled();
});

test('a process with a slow clock ends what a key opened once it expires by the database', async ({
  database: { orm },
}) => {
  const end = vi.fn();
  const at = new Date((await presentAfresh(orm.em)).getTime() + 300);
  skewBy(-hour);
  onExpiry(orm.em, at, end);
  await expect.poll(() => end.mock.calls.length).toBe(1);
  expect((await presentAfresh(orm.em)).getTime()).toBeGreaterThanOrEqual(at.getTime() - 5);
});

test('what a key opened is left alone after the wait was stopped, and without an expiry', async ({
  database: { orm },
}) => {
  const end = vi.fn();
  onExpiry(orm.em, new Date(0), end)();
  onExpiry(orm.em, null, end);
  await sleep(100);
  expect(end).not.toHaveBeenCalled();
});
