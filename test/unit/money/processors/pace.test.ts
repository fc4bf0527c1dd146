import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pace, rateOf } from '#domain/money/processing/stripe/pace.ts';
import { seeded } from '../../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The instants at which requests leave that all ask at once. */
async function departures(pace: Pace, count: number): Promise<number[]> {
  const left: number[] = [];
  const all = Array.from({ length: count }, async () => {
    await pace.take();
    left.push(performance.now());
  });
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return left;
}

describe('the pace of an account', () => {
  test('is what Stripe allows: 80 requests a second with a live key, 20 with a test key', () => {
    expect([rateOf('sk_live_fake'), rateOf('rk_live_fake'), rateOf('sk_test_fake')]).toEqual([
      80, 80, 20,
    ]);
  });

  test('lets no second have more than 1.2 times the rate, and keeps the rate, in the order of the calls', async () => {
    const sizes = fc.record({
      rate: fc.integer({ min: 1, max: 100 }),
      count: fc.integer({ min: 1, max: 400 }),
    });
    const property = fc.asyncProperty(sizes, async ({ rate, count }) => {
      const from = performance.now();
      const left = await departures(new Pace(rate), count);
      expect(left).toEqual(left.toSorted((one, other) => one - other));
      for (const at of left) {
        const within = left.filter((other) => other >= at && other < at + 1_000).length;
        expect(within).toBeLessThanOrEqual(1.2 * rate + 1);
      }
      const seconds = ((left.at(-1) ?? from) - from) / 1_000;
      expect(seconds).toBeLessThanOrEqual(
        Math.max(0, (count - rate / 5) / rate) + 0.05 + count * 0.001,
      );
    });
    await fc.assert(property, seeded('pace', { numRuns: 25 }));
  });

  test('lets a process that was busy catch up with a fifth of a second at most', async () => {
    const pace = new Pace(80);
    const left: number[] = [];
    const all = Array.from({ length: 200 }, async () => {
      await pace.take();
      left.push(performance.now());
    });
    await vi.advanceTimersByTimeAsync(0);
    const stalled = performance.now() + 2_000;
    // A timer that fires 2 seconds late.
    const { now } = performance;
    const late = vi
      .spyOn(performance, 'now')
      .mockImplementation(() => now.call(performance) + 2_000);
    await vi.advanceTimersByTimeAsync(20);
    expect(left.filter((at) => at >= stalled).length).toBeLessThanOrEqual(20);
    late.mockRestore();
    await vi.runAllTimersAsync();
    await Promise.all(all);
  });

  test('pauses once for several refusals of the same time', async () => {
    const pace = new Pace(20);
    const from = performance.now();
    for (let n = 0; n < 20; n++) pace.backOff();
    const [after = 0] = await departures(pace, 1);
    expect(after - from).toBeLessThanOrEqual(1_050);
  });

  test('pauses after a refusal, for the requests that follow it', async () => {
    const pace = new Pace(20);
    await departures(pace, 1);
    const refused = performance.now();
    pace.backOff();
    const [next = 0] = await departures(pace, 1);
    expect(next - refused).toBeGreaterThanOrEqual(1_000);
  });
});
