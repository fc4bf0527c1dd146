import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksTo } from '../../../dashboard/src/parts/charts/axis.ts';
import '../../support/properties.ts';

test('An axis ends at or above the largest value, in at most 5 equal steps of 1, 2 or 5 times a power of 10', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.nat(20), fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true })),
      fc.constantFrom(1, 100, 1_000),
      (most, smallest) => {
        const ticks = ticksTo(most, smallest);
        const [first, step = 0] = ticks;
        expect(first).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.at(-2)).toBeLessThan(Math.max(most, 1));
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks).toEqual(ticks.map((_, at) => at * step));
        expect(step % smallest).toBe(0);
        expect([1, 2, 5]).toContain(step / 10 ** Math.floor(Math.log10(step)));
      },
    ),
  );
});
