import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { boundaryAt, toCivilTime, toMilliseconds, type Unit } from './civil-time.ts';

const at = (text: string) => new Date(text.length > 10 ? text : `${text}T10:00:00.000Z`);

/** The ends of the first periods, each found from the end of the one before. */
function ends(anchor: string, unit: Unit, count: number, periods: number): string[] {
  const found = [at(anchor)];
  for (let n = 0; n < periods; n++) {
    found.push(nextBoundary(at(anchor), { unit, count }, found.at(-1) as Date));
  }
  return found.slice(1).map((end) => end.toISOString());
}

const days = (...dates: string[]) => dates.map((date) => `${date}T10:00:00.000Z`);

describe('the first period', () => {
  test.for([
    ['2024-01-31', 1, 'month', '2024-02-29'],
    ['2023-01-31', 1, 'month', '2023-02-28'],
    ['2024-01-31', 3, 'month', '2024-04-30'],
    ['2023-11-15', 5, 'month', '2024-04-15'],
    ['2024-02-29', 1, 'year', '2025-02-28'],
    ['2024-02-29', 2, 'year', '2026-02-28'],
    ['2023-09-10', 1, 'month', '2023-10-10'],
    ['2024-02-28', 1, 'day', '2024-02-29'],
    ['2023-02-28', 1, 'day', '2023-03-01'],
    ['2024-02-26', 1, 'week', '2024-03-04'],
    ['2024-12-31', 2, 'week', '2025-01-14'],
    ['2023-12-31', 2, 'month', '2024-02-29'],
    ['2024-01-31', 1_000, 'month', '2107-05-31'],
    ['2024-02-29', 1_000, 'year', '3024-02-29'],
  ] as const)('from %s with %d × %s ends on %s', ([start, count, unit, end]) => {
    expect(ends(start, unit, count, 1)).toEqual(days(end));
  });
});

describe('the day of the anchor applies', () => {
  test('from January 31 the months end on the last day of each month, and on the 31st again', () => {
    expect(ends('2024-01-31', 'month', 1, 12)).toEqual(
      days(
        ...['2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30', '2024-07-31'],
        ...['2024-08-31', '2024-09-30', '2024-10-31', '2024-11-30', '2024-12-31', '2025-01-31'],
      ),
    );
    expect(ends('2023-01-31', 'month', 1, 3)).toEqual(
      days('2023-02-28', '2023-03-31', '2023-04-30'),
    );
  });

  test('from January 30 February alone is shorter', () => {
    expect(ends('2023-01-30', 'month', 1, 3)).toEqual(
      days('2023-02-28', '2023-03-30', '2023-04-30'),
    );
  });

  test('from February 29 the years end on February 28, and on the 29th in leap years', () => {
    expect(ends('2024-02-29', 'year', 1, 5)).toEqual(
      days('2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28'),
    );
  });

  test('1900 and 2100 are no leap years, 2000 is one', () => {
    expect(ends('2096-02-29', 'year', 4, 2)).toEqual(days('2100-02-28', '2104-02-29'));
    expect(ends('1896-02-29', 'year', 4, 1)).toEqual(days('1900-02-28'));
    expect(ends('1996-02-29', 'year', 4, 1)).toEqual(days('2000-02-29'));
  });

  test('the time of day is the anchor’s, to the millisecond, whatever daylight saving does anywhere', () => {
    expect(ends('2024-03-30T23:59:59.999Z', 'month', 1, 2)).toEqual([
      '2024-04-30T23:59:59.999Z',
      '2024-05-30T23:59:59.999Z',
    ]);
    expect(ends('2024-03-09T02:30:00.000Z', 'day', 1, 2)).toEqual([
      '2024-03-10T02:30:00.000Z',
      '2024-03-11T02:30:00.000Z',
    ]);
  });
});

test('a boundary is the end of the period before it: the next one is looked for strictly after', () => {
  const anchor = at('2024-01-31');
  const month = { unit: 'month', count: 1 } as const;
  const next = (after: string) => nextBoundary(anchor, month, new Date(after)).toISOString();
  expect(next('2024-02-29T09:59:59.999Z')).toBe('2024-02-29T10:00:00.000Z');
  expect(next('2024-02-29T10:00:00.000Z')).toBe('2024-03-31T10:00:00.000Z');
  expect(next('2024-01-01T00:00:00.000Z')).toBe('2024-01-31T10:00:00.000Z');
});

/** Any instant of the years 1970 to 2200, the ends of months more often than chance has them. */
const anchors = fc
  .record({
    year: fc.integer({ min: 1970, max: 2200 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constantFrom(28, 29, 30, 31)),
    time: fc.nat(86_399_999),
  })
  .map((civil) => toMilliseconds(civil));

const intervals = fc.record({
  unit: fc.constantFrom<Unit>('day', 'week', 'month', 'year'),
  count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1_000 })),
});

const century = 100 * 365 * 86_400_000;

describe('for any anchor from 1970 to 2200 and up to 1,000 units of any kind', () => {
  test('the arithmetic that judges agrees with Date on every day of 300 years', () => {
    for (let nth = -25_000; nth < 85_000; nth++) {
      const date = new Date(nth * 86_400_000 + 1);
      const civil = toCivilTime(date.getTime());
      const { year, month, day } = civil;
      expect([year, month, day]).toEqual([
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
      ]);
      expect(toMilliseconds(civil)).toBe(date.getTime());
    }
  });

  test('period by period the ends are the anchor plus 1, 2, 3 … intervals', () => {
    const periods = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(anchors, intervals, periods, (anchor, { unit, count }, periods) => {
        let end = new Date(anchor);
        for (let place = 1; place <= periods; place++) {
          const expected = boundaryAt(anchor, unit, count, place);
          if (expected > Date.UTC(9999, 11, 31)) return;
          end = nextBoundary(new Date(anchor), { unit, count }, end);
          expect(end.getTime()).toBe(expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('from any instant up to 200 years on it is the one boundary that follows', () => {
    const distances = fc.integer({ min: -century, max: 2 * century });
    fc.assert(
      fc.property(anchors, intervals, distances, fc.nat(50), (anchor, interval, distance, nth) => {
        const { unit, count } = interval;
        // Also right on a boundary, and one millisecond next to it.
        const place = boundaryAt(anchor, unit, count, nth);
        for (const after of [anchor + distance, place - 1, place, place + 1]) {
          const found = nextBoundary(new Date(anchor), interval, new Date(after)).getTime();
          expect(found).toBeGreaterThan(after);
          expect(found).toBe(firstAfter(anchor, unit, count, after));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** By bisection over the places: boundaries only grow. */
function firstAfter(anchor: number, unit: Unit, count: number, after: number): number {
  let [low, high] = [0, 120_000];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (boundaryAt(anchor, unit, count, middle) > after) high = middle;
    else low = middle + 1;
  }
  return boundaryAt(anchor, unit, count, low);
}
