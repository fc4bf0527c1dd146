import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOfLines, shareOfTotal } from '#domain/invoicing/crediting/tax-shares.ts';
import { amountsOf, type TaxRule } from '#domain/model/catalog/tax.ts';
import { seeded } from '../../../support/seeded.ts';

const rule = fc.option(
  fc.record({
    taxType: fc.constant('vat' as const),
    ratePercentage: fc.oneof(
      fc.constantFrom('0', '0.0001', '1', '19', '33.3333', '50', '99.9999', '100'),
      fc.integer({ min: 0, max: 1_000_000 }).map((places) => String(places / 10_000)),
    ),
    inclusive: fc.boolean(),
    country: fc.constant(null),
    state: fc.constant(null),
  }),
) satisfies fc.Arbitrary<TaxRule | null>;

const part = fc.record({
  /** The share of what is left, in thousandths; above 1,000 all of it. */
  share: fc.integer({ min: 1, max: 1_100 }),
  /** How many lines it has; 0 for an amount. */
  lines: fc.nat(4),
});

test('whatever the parts, the credit notes of an invoice never exceed it nor its tax, and all of it is exactly all', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 999_999_999_999 })),
      rule,
      fc.array(part, { maxLength: 12 }),
      (subtotal, rule, parts) => {
        const invoice = {
          ...amountsOf(subtotal, rule),
          taxInclusive: rule?.inclusive ?? false,
          amountCredited: 0,
          taxCredited: 0,
        };
        const isNet = !invoice.taxInclusive;
        const add = (amounts: { subtotal: number; taxAmount: number; total: number }) => {
          expect(Math.min(amounts.subtotal, amounts.taxAmount)).toBeGreaterThanOrEqual(0);
          expect(amounts.total).toBe(amounts.subtotal + (isNet ? amounts.taxAmount : 0));
          const exact =
            Number(rule?.ratePercentage ?? 0) / (100 + Number(rule?.ratePercentage ?? 0));
          // One rounding of what is credited so far, and one of what was before.
          if (amounts.total < 1e9) {
            expect(Math.abs(amounts.taxAmount - amounts.total * exact)).toBeLessThanOrEqual(2);
          }
          invoice.amountCredited += amounts.total;
          invoice.taxCredited += amounts.taxAmount;
          expect(invoice.amountCredited).toBeLessThanOrEqual(invoice.total);
          expect(invoice.taxCredited).toBeLessThanOrEqual(invoice.taxAmount);
        };
        for (const { share, lines } of parts) {
          const left = invoice.total - invoice.amountCredited;
          const net = subtotal - invoice.amountCredited + (isNet ? invoice.taxCredited : 0);
          const of = (amount: number) => Math.min(amount, Math.ceil((amount * share) / 1_000));
          if (lines === 0 && left > 0) add(shareOfTotal(invoice, rule, of(left)));
          if (lines === 0 || net <= 0) continue;
          const whole = of(net);
          const each = Array.from({ length: lines }, (_, line) =>
            line < lines - 1 ? Math.floor(whole / lines) : whole - Math.floor(whole / lines) * line,
          );
          const { shares, amounts } = shareOfLines(invoice, rule, each);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amounts.taxAmount);
          if (amounts.total > 0) add(amounts);
        }
        const left = invoice.total - invoice.amountCredited;
        if (left > 0) add(shareOfTotal(invoice, rule, left));
        expect(invoice).toMatchObject({
          amountCredited: invoice.total,
          taxCredited: invoice.taxAmount,
        });
      },
    ),
    seeded('tax-shares.property.test.ts', { numRuns: 1_000 }),
  );
});

test('the first credit note for lines has their tax, rounded half up once', () => {
  const rule = {
    taxType: 'vat',
    ratePercentage: '19',
    inclusive: false,
    country: null,
    state: null,
  } as const;
  const invoice = {
    ...amountsOf(1_000, rule),
    taxInclusive: false,
    amountCredited: 0,
    taxCredited: 0,
  };
  const { shares, amounts } = shareOfLines(invoice, rule, [50, 50, 50]);
  expect({ shares, amounts }).toEqual({
    shares: [10, 9, 10],
    amounts: { subtotal: 150, taxAmount: 29, total: 179 },
  });
});
