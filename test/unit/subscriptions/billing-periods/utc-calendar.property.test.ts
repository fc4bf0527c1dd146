import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysBetween,
  monthsBetween,
} from '#domain/subscriptions/periods/utc-calendar.ts';

const dates = fc.date({
  min: new Date('1960-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const counts = fc.integer({ min: -1_200, max: 1_200 });
const timeOf = (date: Date) => date.toISOString().slice(11);
/** The last day of a month, by the Gregorian rule and not by the methods of dates. */
function lastDay(year: number, month: number) {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month];
}

describe('the calendar in UTC', () => {
  test.for([
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2023-01-31T10:00:00.000Z', 1, '2023-02-28T10:00:00.000Z'],
    ['2000-02-29T00:00:00.000Z', 12, '2001-02-28T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', -48, '2020-02-29T23:59:59.999Z'],
    ['2024-12-31T23:30:00.000Z', 2, '2025-02-28T23:30:00.000Z'],
    ['2024-03-31T00:00:00.000Z', -1, '2024-02-29T00:00:00.000Z'],
  ] as const)('%s and %i months are %s', ([from, months, to]) => {
    expect(addMonths(new Date(from), months).toISOString()).toBe(to);
  });

  test('months keep the time and the day, or end with the month', () => {
    fc.assert(
      fc.property(dates, counts, (date, months) => {
        const sum = addMonths(date, months);
        expect(monthsBetween(date, sum)).toBe(months);
        expect(timeOf(sum)).toBe(timeOf(date));
        const last = lastDay(sum.getUTCFullYear(), sum.getUTCMonth());
        expect(sum.getUTCDate()).toBe(Math.min(date.getUTCDate(), last ?? 0));
      }),
    );
  });

  test('days have 24 hours, and are counted as they are added', () => {
    fc.assert(
      fc.property(dates, counts, fc.integer({ min: 0, max: 86_399_999 }), (date, days, rest) => {
        const sum = addDays(date, days);
        expect(sum.getTime() - date.getTime()).toBe(days * 86_400_000);
        const later = new Date(sum.getTime() + Math.sign(days) * rest);
        expect(daysBetween(date, later)).toBe(days);
      }),
    );
  });
});
