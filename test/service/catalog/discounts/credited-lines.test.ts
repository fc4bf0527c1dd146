import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { anAdjustable, refused } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { effort } from '../../../support/effort.ts';
import { fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import '../../../support/properties.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

interface Part {
  readonly amount?: number;
  readonly quantity?: string;
}

/** Credits a part of a line of an invoice, and returns the credit note. */
const credits = (session: Session, invoice: Invoice | undefined, line: string, part: Part) =>
  createCreditNote(fresh(session), {
    creditNote: {
      invoiceId: invoice?.id ?? '',
      lines: [{ invoiceLineItemId: line, ...part }],
      settle: 'credit',
      reason: 'order_change',
    },
  });

/** The id of the line of an invoice with a type. */
const lineOf = async (invoice: Invoice | undefined, type: string) =>
  (await invoice?.lineItems.loadItems())?.find((line) => line.type === type)?.id ?? '';

const agree = async (session: Session) => {
  await expectMoneyToAgree(fresh(session));
  await expectBooksToAgree(fresh(session));
};

describe('a credit note on a line of a discounted invoice', () => {
  test('credits the share that was paid, and refuses the line of the discount', async ({
    session,
  }) => {
    const { id: discountId } = await aDiscount(session, { amount: 50 });
    const line = await anAdjustable(session, { quantity: 2, discountId });
    const [invoice] = await line.invoices();
    const charge = await lineOf(invoice, 'static');
    const discount = await lineOf(invoice, 'discount');
    await expect(credits(session, invoice, discount, { amount: 1 })).rejects.toMatchObject(
      refused('creditNote.lines.0.invoiceLineItemId', /is a discount: give the lines/),
    );
    const first = await credits(session, invoice, charge, { quantity: '1' });
    expect(first.total).toBe(500);
    await expect(credits(session, invoice, charge, { amount: 501 })).rejects.toMatchObject(
      refused('creditNote.lines.0.amount', /at most 500 \(USD 5\.00\), the rest of the line/),
    );
    expect((await credits(session, invoice, charge, { quantity: '1' })).total).toBe(500);
    await agree(session);
  });

  test('credits a fixed discount to the plan before the usage', async ({ session }) => {
    const fixed = { amountType: 'fixed', amount: 2_400 } as const;
    const { code } = await aDiscount(session, fixed);
    const user = await aBilled(session, { discountCode: code });
    await use(session, user, 10);
    await user.to('2026-02-02');
    const billed = (await user.invoices()).at(-1);
    expect(billed?.total).toBe(600);
    const plan = await lineOf(billed, 'static');
    await expect(credits(session, billed, plan, { quantity: '1' })).rejects.toMatchObject(
      refused(
        'creditNote.lines.0.quantity',
        /worth nothing: the rest of the line is 0 \(USD 0\.00\)/,
      ),
    );
    const usage = await lineOf(billed, 'usage');
    expect((await credits(session, billed, usage, { quantity: '5' })).total).toBe(300);
    await agree(session);
  });

  test('credits the discounted charge of an adjustment', async ({ session }) => {
    const { id: discountId } = await aDiscount(session, { amount: 50, duration: 'once' });
    const line = await anAdjustable(session, { discountId });
    await line.toDay(15);
    await line.adjust([{ priceId: await line.monthly(2_000), quantity: 1 }]);
    const charged = (await line.invoices()).at(-1);
    const charge = await lineOf(charged, 'static');
    expect((await credits(session, charged, charge, { quantity: '1' })).total).toBe(250);
    await agree(session);
  });
});

test('the units of a discounted line are credited one by one by exact fractions, with each tax', async ({
  database,
}) => {
  const world = fc.record({
    percent: fc.integer({ min: 1, max: 99 }),
    rate: fc.integer({ min: 0, max: 30 }),
    inclusive: fc.boolean(),
    unitPrice: fc.integer({ min: 100, max: 9_999 }),
    quantity: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ percent, rate, inclusive, unitPrice, quantity }) => {
      const { session } = await aTenant(database.orm.em);
      await updateOrganization(fresh(session), {
        organization: { taxType: 'vat', taxRatePercentage: `${rate}`, taxInclusive: inclusive },
      });
      const { id: discountId } = await aDiscount(session, { amount: percent });
      const line = await anAdjustable(session, { unitPrice, quantity, discountId });
      const [invoice] = await line.invoices();
      const listed = unitPrice * quantity;
      const paid = listed - Math.floor((2 * listed * percent + 100) / 200);
      const charge = await lineOf(invoice, 'static');
      const unit = Math.floor((2 * paid + quantity) / (2 * quantity));
      let left = paid;
      let total = 0;
      for (let n = 0; n < quantity; n++) {
        const note = await credits(session, invoice, charge, { quantity: '1' });
        const amount = Math.min(unit, left);
        left -= amount;
        expect(note.subtotal).toBe(amount);
        total += note.total;
      }
      if (left > 0) total += (await credits(session, invoice, charge, { amount: left })).total;
      expect(total).toBe(invoice?.total);
      expect((await explainInvoice(fresh(session), invoice?.id ?? '')).differences).toEqual([]);
      await agree(session);
    }),
    { numRuns: 6 * effort },
  );
});

test('usage corrected on a later discounted invoice returns what was paid, also after a refund', async ({
  session,
}) => {
  const { code } = await aDiscount(session, { amount: 33 });
  const user = await aBilled(session, { discountCode: code });
  const [first, second] = await use(session, user, 3, 4);
  await user.to('2026-02-02');
  // Plan and usage are 2,000 + 700, of which 891 are discounted.
  expect((await user.totals()).at(-1)).toBe(1_809);
  await user.refund(100);
  await voidEvent(session, first?.id ?? '');
  await voidEvent(session, second?.id ?? '');
  await user.to('2026-03-02');
  // The plan is 2,000 - 660, and the usage of 700 - 231 is credited.
  expect((await user.totals()).at(-1)).toBe(871);
  for (const { id } of await user.invoices()) {
    expect((await explainInvoice(fresh(session), id)).differences).toEqual([]);
  }
  await agree(session);
});
