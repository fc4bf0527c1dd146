import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  fairAmount,
  shareOf,
  usedAmount,
  worthAfter,
} from '#domain/subscriptions/adjusting/proration.ts';
import { seeded } from '../../../support/seeded.ts';

const period = (startDate: string | number, endDate: string | number) => ({
  startDate: new Date(startDate),
  endDate: new Date(endDate),
});
/** The worth of a period that had one plan until `at`. */
const fair = (
  { startDate, endDate }: ReturnType<typeof period>,
  at: Date,
  [total, newTotal, startsPeriod = false]: [number, number, boolean?],
) =>
  fairAmount({ startDate, endDate, since: startDate, used: 0, total }, at, {
    oldTotal: total,
    newTotal,
    startsPeriod,
  });
const january = period('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z');
describe('what a period is worth whose plan changes within it', () => {
  test.for([
    ['its start', '2026-01-01T00:00:00Z', 0, 2_000],
    ['its middle', '2026-01-16T00:00:00Z', 0.5, 1_500],
    ['its end', '2026-01-31T00:00:00Z', 1, 1_000],
  ] as const)('is shared out at %s', ([, at, share, worth]) => {
    expect(shareOf(january, new Date(at))).toBe(share);
    expect(fair(january, new Date(at), [1_000, 2_000])).toBe(worth);
  });

  test('rounds each part half up', () => {
    expect(fair(january, new Date('2026-01-16T00:00:00Z'), [1, 3])).toBe(3);
    expect(fair(january, new Date('2026-01-16T00:00:00Z'), [999, 4_999])).toBe(3_000);
  });

  test('is paid for as a whole where a new period begins', () => {
    expect(fair(january, new Date('2026-01-16T00:00:00Z'), [1_000, 12_000, true])).toBe(12_500);
  });

  test('counts milliseconds, in a period of one of them and across leap days', () => {
    const tiny = { startDate: new Date(5), endDate: new Date(6) };
    expect(fair(tiny, new Date(5), [7, 9])).toBe(9);
    expect(fair(tiny, new Date(6), [7, 9])).toBe(7);
    const leap = period('2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z');
    expect(fair(leap, new Date('2028-02-29T00:00:00Z'), [2_900, 5_800])).toBe(3_000);
  });

  test('is refused without length, and outside of the period', () => {
    const empty = { startDate: new Date(5), endDate: new Date(5) };
    expect(() => fair(empty, new Date(5), [1, 2])).toThrow('Invalid input data');
    for (const at of ['2025-12-31T23:59:59.999Z', '2026-01-31T00:00:00.001Z']) {
      expect(() => fair(january, new Date(at), [1, 2])).toThrow('Invalid input data');
    }
  });

  test('is exact to the minor unit for any amounts, dates and lengths', () => {
    const amount = fc.integer({ min: 0, max: 2 ** 50 });
    const length = fc.integer({ min: 1, max: 400 * 86_400_000 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const found = (old: number, now: number, length: number, share: number) => {
      const before = Math.floor(share * length);
      const worth = BigInt(fair(period(0, length), new Date(before), [old, now]));
      const exact = BigInt(old) * BigInt(before) + BigInt(now) * BigInt(length - before);
      // Each of two parts is less than half a unit too low, and at most half a unit too high.
      const off = worth * BigInt(length) - exact;
      return off > -BigInt(length) && off <= BigInt(length);
    };
    fc.assert(fc.property(amount, amount, length, share, found), seeded('proration'));
  });

  test('does not change with a plan of the same worth, however often', () => {
    const half = new Date('2026-01-16T00:00:00Z');
    expect(fair(january, half, [999, 999])).toBe(999);
  });

  test('is the sum of its parts after several changes', () => {
    const third = { ...january, since: new Date('2026-01-11T00:00:00Z'), used: 300, total: 3_000 };
    const at = new Date('2026-01-21T00:00:00Z');
    const change = { oldTotal: 3_000, newTotal: 6_000, startsPeriod: false };
    expect(fairAmount(third, at, change)).toBe(3_300);
  });

  test('does not depend on the zone of the host, where a day has 23 or 25 hours', () => {
    const months = [
      ['2026-03-01T00:00:00Z', '2026-03-16T12:00:00Z', '2026-04-01T00:00:00Z'],
      ['2026-11-01T00:00:00Z', '2026-11-16T00:00:00Z', '2026-12-01T00:00:00Z'],
    ] as const;
    for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe']) {
      vi.stubEnv('TZ', zone);
      for (const [start, half, end] of months) {
        expect(fair(period(start, end), new Date(half), [1_000, 2_000]), zone).toBe(1_500);
      }
    }
    vi.unstubAllEnvs();
  });
});

describe('what changed without proration', () => {
  test.for([
    ['is not charged for when more is added', 1_000, 6_000, 6_010, 1_010],
    ['is not charged for when it is reverted in part', 1_000, 6_000, 3_000, 1_000],
    ['is taken off no further than the period went by', 1_000, 6_000, 400, 400],
    ['is not credited by a change of the same worth', 3_000, 1_000, 1_000, 3_000],
    ['is not charged for again when it comes back', 3_000, 1_000, 2_500, 3_000],
    ['is not credited next to what becomes cheaper still', 3_000, 1_000, 600, 2_600],
    ['counts no further when a period begins', 3_000, 1_000, 12_000, 12_000, true],
  ] as const)('%s', ([, total, oldTotal, newTotal, worth, startsPeriod = false]) => {
    expect(worthAfter(total, { oldTotal, newTotal, startsPeriod })).toBe(worth);
  });

  const total = fc.integer({ min: 0, max: 100_000 });
  const step = fc.record({
    gap: fc.nat({ max: 500 }),
    newTotal: fc.option(total, { nil: undefined }),
    silent: fc.boolean(),
  });
  const script = fc.record({
    length: fc.integer({ min: 1, max: 2_000 }),
    total,
    steps: fc.array(step, { maxLength: 8 }),
  });
  type Step = { at: number; oldTotal: number; newTotal: number; paid: number; charge: number };

  /** Carries changes out as adjustments do, within a period that was paid for when it began. */
  function execute({
    length,
    total,
    steps,
  }: typeof script extends fc.Arbitrary<infer T> ? T : never) {
    let stretch = { ...period(0, length), since: new Date(0), used: 0, total };
    let [oldTotal, paid, now] = [total, total, 0];
    const prorated: (Step & { fair: number; before: typeof stretch })[] = [];
    for (const { gap, silent, newTotal: given } of steps) {
      now = Math.min(length, now + gap);
      const [newTotal, at] = [given ?? oldTotal, new Date(now)];
      if (!silent) {
        const change = { oldTotal, newTotal, startsPeriod: false };
        const fair = fairAmount(stretch, at, change);
        const charge = Math.max(0, fair - paid);
        prorated.push({ at: now, oldTotal, newTotal, paid, charge, fair, before: stretch });
        const after = worthAfter(stretch.total, change);
        if (after !== stretch.total)
          stretch = { ...stretch, since: at, used: usedAmount(stretch, at), total: after };
        paid += charge;
      }
      oldTotal = newTotal;
    }
    return { prorated, length };
  }

  test('is never part of what a later change charges or takes off, in any sequence of both', () => {
    const isExact = (input: Parameters<typeof execute>[0]) => {
      const { prorated, length } = execute(input);
      for (const { at, oldTotal, newTotal, charge, fair, before } of prorated) {
        const worth = usedAmount(before, before.endDate);
        // Each of three parts is rounded by at most half a unit.
        const rise = (Math.max(0, newTotal - oldTotal) * (length - at)) / length;
        const fall = (Math.max(0, oldTotal - newTotal) * (length - at)) / length;
        expect(charge).toBeLessThanOrEqual(newTotal > oldTotal ? rise + 1.5 : 0);
        expect(worth - fair).toBeLessThanOrEqual(newTotal < oldTotal ? fall + 1.5 : 0);
        if (newTotal === oldTotal) expect(fair).toBe(worth);
      }
    };
    fc.assert(fc.property(script, isExact), seeded('silent changes', { numRuns: 1_000 }));
  });

  test('is all that makes a difference: by themselves prorated changes cost each part by its own plan', () => {
    const isExact = (input: Parameters<typeof execute>[0]) => {
      const steps = input.steps.map((step) => ({ ...step, silent: false }));
      const { prorated, length } = execute({ ...input, steps });
      let [used, since, present] = [0, 0, input.total];
      const part = (total: number, from: number, to: number) =>
        Math.floor((2 * total * (to - from) + length) / (2 * length));
      for (const { at, newTotal, paid, charge } of prorated) {
        const before = used + part(present, since, at);
        const changes = newTotal !== present;
        const fair = changes
          ? before + part(newTotal, at, length)
          : used + part(present, since, length);
        expect(charge).toBe(Math.max(0, fair - paid));
        if (changes) [used, since, present] = [before, at, newTotal];
      }
    };
    fc.assert(fc.property(script, isExact), seeded('prorated changes', { numRuns: 1_000 }));
  });
});
