// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { effort } from '../../../support/effort.ts';
import { fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import '../../../support/properties.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const world = fc.record({
  percent: fc.integer({ min: 1, max: 120 }),
  /** How many payments have the discount, or how many months; neither for all. */
  payments: fc.option(fc.integer({ min: 1, max: 4 })),
  months: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 1 }),
  /** The price of each plan: that at the start, and that from the boundary of the change on. */
  prices: fc.tuple(fc.integer({ min: 100, max: 9_999 }), fc.integer({ min: 0, max: 9_999 })),
  /** The period in which the change is scheduled for its end. */
  change: fc.integer({ min: 0, max: 3 }),
  trialDays: fc.option(fc.integer({ min: 1, max: 20 })),
  /** Whether the clock stops in each period, or moves once. */
  stops: fc.boolean(),
});

test('a discount reduces its number of payments, or the periods within its months, over trials, free periods and scheduled changes, with each clock', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(
      world,
      async ({ percent, months, prices, change, trialDays, stops, ...counted }) => {
        const { session } = await aTenant(database.orm.em);
        const payments = months === null ? counted.payments : null;
        const duration =
          months !== null
            ? { duration: 'number_of_months' as const, numberOfMonths: months }
            : payments === null
              ? { duration: 'forever' as const }
              : { duration: 'number_of_payments' as const, numberOfPayments: payments };
        const { id: discountId } = await aDiscount(session, { amount: percent, ...duration });
        const [before, after] = prices;
        const trial = trialDays ?? 0;
        const line = await anAdjustable(session, {
          unitPrice: before,
          discountId,
          ...(trialDays !== null && { trialDays }),
        });
        const days = (periods: number) => trial + 30 * periods;
        await line.toDay(days(change) + 1);
        const items = [{ priceId: await line.monthly(after), quantity: 1 }];
        await line.adjust(items, { timing: 'at_end_of_current_billing_period' });
        for (let n = change + 1; stops && n < 6; n++) await line.toDay(days(n) + 1);
        await line.toDay(days(6) + 1);

        let left = payments ?? Number.POSITIVE_INFINITY;
        const expected: number[] = [];
        for (let n = 0; n <= 6; n++) {
          const listed = n <= change ? before : after;
          if (listed === 0) continue;
          const start = new Date(Date.UTC(2026, 0, 1 + days(n)));
          const isWithin = months === null || start < new Date(Date.UTC(2026, months, 1));
          const off =
            left > 0 && isWithin
              ? Math.floor((2 * listed * Math.min(percent, 100) + 100) / 200)
              : 0;
          left -= 1;
          expected.push(listed - off);
        }
        const charged = (await line.invoices()).filter(({ subtotal }) => subtotal > 0);
        expect(charged.map(({ total }) => total)).toEqual(expected.filter((total) => total > 0));
        await expectMoneyToAgree(fresh(session));
        await expectBooksToAgree(fresh(session));
      },
    ),
    { numRuns: 3 * effort },
  );
});
