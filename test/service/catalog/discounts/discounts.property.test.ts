// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { discountOf } from '#domain/model/catalog/discount-terms.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { effort } from '../../../support/effort.ts';
import { fresh as renewed } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import '../../../support/properties.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

/** An exact fraction. */
type Fraction = readonly [bigint, bigint];

/** A fraction rounded half up to a minor unit: the largest whole number below it and a half. */
const rounded = ([over, under]: Fraction): number => Number((2n * over + under) / (2n * under));
const times = (amount: number, [over, under]: Fraction): number =>
  rounded([BigInt(amount) * over, under]);

/** 100 percent, in ten thousandths of a percent. */
const hundred = 1_000_000n;

interface Size {
  readonly amountType: 'percent' | 'fixed';
  readonly amount: number;
}

/** The discount by its definition, in exact fractions. */
function expectedDiscount({ amountType, amount }: Size, subtotal: number): number {
  const whole =
    amountType === 'percent'
      ? times(subtotal, [BigInt(Math.round(Math.min(amount, 100) * 10_000)), hundred])
      : amount;
  return Math.min(whole, subtotal);
}

interface Tax {
  /** In ten thousandths of a percent. */
  readonly rate: bigint;
  readonly inclusive: boolean;
}

function expectedTotal(subtotal: number, { rate, inclusive }: Tax) {
  const taxAmount = times(subtotal, inclusive ? [rate, hundred + rate] : [rate, hundred]);
  return { subtotal, taxAmount, total: subtotal + (inclusive ? 0 : taxAmount) };
}

const size: fc.Arbitrary<Size> = fc.oneof(
  fc.record({
    amountType: fc.constant('percent' as const),
    amount: fc.oneof(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 1_200_000 }).map((places) => places / 10_000),
    ),
  }),
  fc.record({
    amountType: fc.constant('fixed' as const),
    amount: fc.integer({ min: 1, max: 9_000 }),
  }),
);

test('a discount is exact to the minor unit, at least 0 and at most the subtotal', () => {
  const subtotals = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.maxSafeNat());
  fc.assert(
    fc.property(size, subtotals, (of, subtotal) => {
      const off = discountOf(
        { ...of, currency: of.amountType === 'fixed' ? 'EUR' : null },
        subtotal,
        'EUR',
      );
      expect(off).toBe(expectedDiscount(of, subtotal));
      expect(off).toBeGreaterThanOrEqual(0);
      expect(off).toBeLessThanOrEqual(subtotal);
    }),
    { numRuns: 2_000 * effort },
  );
});

const world = fc.record({
  size,
  tax: fc.record({ rate: fc.bigInt({ min: 0n, max: 300_000n }), inclusive: fc.boolean() }),
  unitPrice: fc.integer({ min: 500, max: 9_999 }),
  next: fc.integer({ min: 500, max: 9_999 }),
  day: fc.integer({ min: 1, max: 29 }),
  /** The part of the first payment that is refunded first, in hundredths. */
  share: fc.bigInt({ min: 1n, max: 99n }),
});

const rateText = (rate: bigint) =>
  `${rate / 10_000n}.${String(rate % 10_000n).padStart(4, '0')}`.replace(/\.?0+$/, '') || '0';

test('discount, tax, proration, refund and credit agree with exact fractions; preview = charge', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(world, async ({ size, tax, unitPrice, next, day, share }) => {
      const { session } = await aTenant(database.orm.em);
      const fresh = () => renewed(session);
      await updateOrganization(fresh(), {
        organization: {
          taxType: 'vat',
          taxRatePercentage: rateText(tax.rate),
          taxInclusive: tax.inclusive,
          prorationCredit: 'balance',
        },
      });
      const { id: discountId } = await aDiscount(session, size);
      const line = await anAdjustable(session, { unitPrice, discountId });
      const net = (amount: number) => amount - expectedDiscount(size, amount);
      const [first] = await line.invoices();
      expect(first).toMatchObject({ status: 'paid', ...expectedTotal(net(unitPrice), tax) });

      await line.toDay(day);
      const items = [{ priceId: await line.monthly(next), quantity: 1 }];
      const preview = await line.preview(items);
      await line.adjust(items);
      const worth =
        times(net(unitPrice), [BigInt(day), 30n]) + times(net(next), [BigInt(30 - day), 30n]);
      const charge = Math.max(0, worth - net(unitPrice));
      const changed = net(unitPrice) !== net(next);
      expect(preview.prorationAmount).toBe(changed ? charge : 0);
      expect(preview.isUpgrade).toBe(next > unitPrice);
      const invoices = await line.invoices();
      const adjusted = invoices[1];
      expect(adjusted?.total ?? 0).toBe(preview.amountDue);
      if (adjusted) {
        expect(adjusted).toMatchObject(expectedTotal(charge, tax));
        expect((await explainInvoice(fresh(), adjusted.id)).differences).toEqual([]);
      }
      const { creditBalance } = await fresh().em.findOneOrFail(Customer, line.customer.id);
      expect(creditBalance).toBe(preview.creditAmount);

      const payment = (await line.payments()).find(({ invoiceId }) => invoiceId === first?.id);
      const refundable = (payment?.amount ?? 0) - creditBalance;
      const part = times(refundable, [share, 100n]);
      if (payment && part > 0) {
        await refundPayment(fresh(), { id: payment.id, partialAmount: part });
      }
      const notes = await fresh().em.find(CreditNote, { invoice: first?.id ?? '' });
      const total = notes.reduce((sum, note) => sum + note.total, 0);
      const taxed = notes.reduce((sum, note) => sum + note.taxAmount, 0);
      expect(total).toBe(creditBalance + (payment && part > 0 ? part : 0));
      expect(taxed).toBe(times(total, [tax.rate, hundred + tax.rate]));
      for (const { id } of invoices) {
        expect((await explainInvoice(fresh(), id)).differences).toEqual([]);
      }
      await expectMoneyToAgree(fresh());
      await expectBooksToAgree(fresh());
    }),
    { numRuns: 12 * effort },
  );
});
