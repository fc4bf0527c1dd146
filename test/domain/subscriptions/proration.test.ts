import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fairAmount, shareOf } from '#domain/subscriptions/proration.ts';
import { seeded } from '../../support/seeded.ts';

const period = (startDate: string, endDate: string) => ({
  startDate: new Date(startDate),
  endDate: new Date(endDate),
});
const january = period('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z');
const change = (oldTotal: number, newTotal: number, startsPeriod = false) => ({
  oldTotal,
  newTotal,
  startsPeriod,
});

describe('what a period is worth whose plan changes within it', () => {
  test.for([
    ['its start', '2026-01-01T00:00:00Z', 0, 2_000],
    ['its middle', '2026-01-16T00:00:00Z', 0.5, 1_500],
    ['its end', '2026-01-31T00:00:00Z', 1, 1_000],
  ] as const)('is shared out at %s', ([, at, share, fair]) => {
    expect(shareOf(january, new Date(at))).toBe(share);
    expect(fairAmount(january, new Date(at), change(1_000, 2_000))).toBe(fair);
  });

  test('rounds each part half up', () => {
    expect(fairAmount(january, new Date('2026-01-16T00:00:00Z'), change(1, 1))).toBe(2);
    expect(fairAmount(january, new Date('2026-01-16T00:00:00Z'), change(999, 4_999))).toBe(3_000);
  });

  test('is paid for as a whole where a new period begins', () => {
    expect(fairAmount(january, new Date('2026-01-16T00:00:00Z'), change(1_000, 12_000, true))).toBe(
      12_500,
    );
  });

  test('counts milliseconds, in a period of one of them and across leap days', () => {
    const tiny = { startDate: new Date(5), endDate: new Date(6) };
    expect(fairAmount(tiny, new Date(5), change(7, 9))).toBe(9);
    expect(fairAmount(tiny, new Date(6), change(7, 9))).toBe(7);
    const leap = period('2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z');
    expect(fairAmount(leap, new Date('2028-02-29T00:00:00Z'), change(2_900, 5_800))).toBe(3_000);
  });

  test('is refused without length, and outside of the period', () => {
    const empty = { startDate: new Date(5), endDate: new Date(5) };
    expect(() => fairAmount(empty, new Date(5), change(1, 2))).toThrow('Invalid input data');
    for (const at of ['2025-12-31T23:59:59.999Z', '2026-01-31T00:00:00.001Z']) {
      expect(() => fairAmount(january, new Date(at), change(1, 2))).toThrow('Invalid input data');
    }
  });

  test('is exact to the minor unit for any amounts, dates and lengths', () => {
    const amount = fc.integer({ min: 0, max: 2 ** 50 });
    const length = fc.integer({ min: 1, max: 400 * 86_400_000 });
    const found = (old: number, now: number, length: number, share: number) => {
      const before = Math.min(length, Math.floor(share * length));
      const stretch = { startDate: new Date(0), endDate: new Date(length) };
      const fair = BigInt(fairAmount(stretch, new Date(before), change(old, now)));
      const exact = BigInt(old) * BigInt(before) + BigInt(now) * BigInt(length - before);
      // Two roundings, each at most half a unit off, and never more than half a unit down.
      const off = 2n * (fair * BigInt(length) - exact);
      return off <= 2n * BigInt(length) && off > -2n * BigInt(length);
    };
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(fc.property(amount, amount, length, share, found), seeded('proration'));
    const same = (total: number, length: number, share: number) => {
      const stretch = { startDate: new Date(0), endDate: new Date(length) };
      const at = new Date(Math.floor(share * length));
      return fairAmount(stretch, at, change(total, total)) - total <= 1;
    };
    fc.assert(fc.property(amount, length, share, same), seeded('proration of the same'));
  });
});
