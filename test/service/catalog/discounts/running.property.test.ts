// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { applyDiscount } from '#domain/subscriptions/commands/subscriptions/apply-discount.ts';
import { removeDiscount } from '#domain/subscriptions/commands/subscriptions/remove-discount.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { addMonths } from '#domain/subscriptions/periods/utc-calendar.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { effort } from '../../../support/effort.ts';
import { fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import '../../../support/properties.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const terms = fc.record({
  /** Ten thousandths of a percent. */
  percent: fc.integer({ min: 1, max: 1_000_000 }),
  duration: fc.oneof(
    fc.constant({ duration: 'forever' as const }),
    fc.record({
      duration: fc.constant('number_of_payments' as const),
      numberOfPayments: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({
      duration: fc.constant('number_of_months' as const),
      numberOfMonths: fc.integer({ min: 1, max: 3 }),
    }),
  ),
});

/** What happens within a period: a discount is removed, another one is applied. */
const step = fc.record({
  day: fc.integer({ min: 1, max: 29 }),
  removes: fc.boolean(),
  applies: fc.option(terms),
});

const world = fc.record({
  unitPrice: fc.integer({ min: 100, max: 9_999 }),
  steps: fc.array(fc.option(step), { minLength: 5, maxLength: 5 }),
});

type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

/** A discount of the model: its terms, when it was applied, and the payments that it has reduced. */
interface Applied extends Terms {
  readonly day: number;
  used: number;
}

const start = Date.parse('2026-01-01T00:00:00Z');
const instantOf = (day: number) => new Date(start + day * 86_400_000);

function isOver({ duration, day, used }: Applied, at: number): boolean {
  if (duration.duration === 'number_of_payments') return used >= duration.numberOfPayments;
  if (duration.duration === 'forever') return false;
  return instantOf(at) >= addMonths(instantOf(day), duration.numberOfMonths);
}

test('a discount of a running subscription reduces exactly the periods that begin after it is applied, until it ends or is removed', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(world, async ({ unitPrice, steps }) => {
      const { session } = await aTenant(database.orm.em);
      const line = await anAdjustable(session, { unitPrice });
      const expected = [unitPrice];
      let present: Applied | null = null;
      for (const [period, step] of steps.entries()) {
        if (step) {
          const day = 30 * period + step.day;
          await line.toDay(day);
          if (step.removes && present) {
            await removeDiscount(line.fresh(), { id: line.id });
            present = null;
          }
          if (step.applies) {
            const { percent, duration } = step.applies;
            const { id: discountId } = await aDiscount(fresh(session), {
              amount: percent / 10_000,
              ...duration,
            });
            const applied = applyDiscount(line.fresh(), { id: line.id, discountId });
            if (present && !isOver(present, day)) await expect(applied).rejects.toThrow();
            else {
              await applied;
              present = { ...step.applies, day, used: 0 };
            }
          }
        }
        const boundary = 30 * (period + 1);
        const reduces = present !== null && !isOver(present, boundary);
        const percent = BigInt(reduces && present ? present.percent : 0);
        const off = (2n * BigInt(unitPrice) * percent + 1_000_000n) / 2_000_000n;
        if (reduces && present) present.used += 1;
        expected.push(unitPrice - Number(off));
        const upcoming = await upcomingInvoice(line.fresh(), line.id);
        expect(upcoming?.invoice.total).toBe(expected.at(-1));
        await line.toDay(boundary);
      }
      const invoices = await line.invoices();
      expect(invoices.map(({ total }) => total)).toEqual(expected);
      for (const { id } of invoices) {
        expect((await explainInvoice(fresh(session), id)).differences).toEqual([]);
      }
      await expectMoneyToAgree(fresh(session));
      await expectBooksToAgree(fresh(session));
    }),
    { numRuns: 4 * effort },
  );
});
