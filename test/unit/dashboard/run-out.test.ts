import { describe, expect, test } from 'vitest';
import {
  balanceAhead,
  dayMilliseconds,
  runOutOf,
} from '../../../dashboard/src/parts/charts/run-out.ts';

const now = Date.UTC(2026, 2, 11);
/** The usage of the days before now, oldest first. */
const daysOf = (...usages: number[]) =>
  usages.map((usage, place) => ({
    start: now - (usages.length - place) * dayMilliseconds,
    usage,
  }));

describe('The time at which a balance is used up', () => {
  test('follows from the average use of a day', () => {
    expect(runOutOf(daysOf(10, 30, 20), 100, now)).toEqual({
      perDay: 20,
      at: now + 5 * dayMilliseconds,
    });
  });

  test('counts days only since the first use', () => {
    expect(runOutOf(daysOf(0, 0, 0, 30, 30), 60, now).at).toBe(now + 2 * dayMilliseconds);
  });

  test('is unknown without use, and now where nothing is left', () => {
    expect(runOutOf(daysOf(0, 0), 100, now)).toEqual({ perDay: 0, at: undefined });
    expect(runOutOf([], 100, now).at).toBeUndefined();
    expect(runOutOf(daysOf(10), -5, now).at).toBe(now);
  });

  test('counts a first day that has just begun as a whole one', () => {
    const days = [{ start: now, usage: 10 }];
    expect(runOutOf(days, 100, now + 1_000).perDay).toBe(10);
  });
});

describe('The course of a balance', () => {
  const runOut = { perDay: 20, at: now + 5 * dayMilliseconds };

  test('ends at 0 with the run-out, or later with the period', () => {
    const balances = balanceAhead(runOut, 100, now, null).map(({ balance }) => balance);
    expect(balances).toEqual([100, 80, 60, 40, 20, 0]);
    const end = now + 8 * dayMilliseconds;
    expect(balanceAhead(runOut, 100, now, end).at(-1)).toEqual({ start: end, balance: 0 });
  });

  test('shows 60 days at most', () => {
    const slow = { perDay: 1, at: now + 1_000 * dayMilliseconds };
    expect(balanceAhead(slow, 1_000, now, null)).toHaveLength(60);
  });
});
