// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { amountDueShown } from '#domain/invoicing/crediting/amount-paid.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { trueUpTimings } from '#domain/model/subscriptions/commitment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

/** A plan of some days, which is used for a part of them, and longer than a moment. */
const plan = fc.record({
  unitPrice: fc.integer({ min: 1, max: 99_999 }),
  used: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
});

const script = fc.record({
  plans: fc.array(plan, { minLength: 2, maxLength: 4 }),
  taxInclusive: fc.boolean(),
  isSent: fc.boolean(),
  credit: fc.constantFrom('balance' as const, 'refund' as const),
  commitment: fc.option(
    fc.record({
      amount: fc.integer({ min: 1, max: 150_000 }),
      trueUp: fc.constantFrom(...trueUpTimings),
    }),
  ),
});

/** The length of a period in days; each plan has another one. */
const lengthOf = (place: number) => 30 + 20 * place;

test('several changes of the interval charge the used part of each plan once, and its end refunds all else', async ({
  database,
}) => {
  const property = fc.asyncProperty(script, async (given) => {
    const { plans, taxInclusive, isSent, credit, commitment } = given;
    const { session } = await aTenant(database.orm.em);
    const tax = { taxType: 'vat' as const, taxRatePercentage: '19', taxInclusive };
    await updateOrganization(session, { organization: { prorationCredit: 'balance', ...tax } });
    const it = await anEndable(session, {
      unitPrice: plans[0]?.unitPrice ?? 0,
      days: lengthOf(0),
      ...(commitment && { commitment: { ...commitment, counts: 'all' as const } }),
      ...(isSent && { collectionMethod: 'send_invoice' as const, daysUntilDue: 300 }),
    });
    let day = 0;
    const worths: number[] = [];
    for (const [place, { unitPrice, used }] of plans.entries()) {
      if (place > 0) {
        const intervalCount = lengthOf(place);
        const terms = { unitPrice, intervalUnit: 'day' as const, intervalCount };
        await it.adjust([{ priceId: await aPriceOf(it.fresh(), terms), quantity: 1 }]);
      }
      const from = it.day(day).getTime();
      day += used * lengthOf(place);
      await it.toDay(day);
      const partOf = (amount: number, days: number) =>
        proportion(amount, it.day(day).getTime() - from, days * 86_400_000);
      const worth = partOf(unitPrice, lengthOf(place));
      // A commitment states the amount for the length of the first plan.
      const least = commitment ? partOf(commitment.amount, lengthOf(0)) : 0;
      worths.push(Math.max(worth, least));
    }
    const isOnlyMoney = (await it.invoices()).every(({ creditApplied }) => creditApplied === 0);
    const before = await it.balance();
    await it.cancel({ timing: 'immediately', credit });
    await it.toDay(day + 1);
    for (const invoice of await it.invoices()) {
      const amount = await amountDueShown(it.fresh(), invoice);
      if (!isSent || amount === 0) continue;
      const method = 'bank_transfer' as const;
      await recordPayment(it.fresh(), { invoiceId: invoice.id, amount, method });
    }
    const invoices = (await it.invoices()).filter(({ status }) => status !== 'void');
    const charged = invoices.reduce((sum, { subtotal }) => sum + subtotal, 0);
    const returned = (await it.notes()).reduce((sum, { subtotal }) => sum + subtotal, 0);
    expect(charged - returned).toBe(worths.reduce((sum, worth) => sum + worth, 0));
    // A change to a cheaper plan gives balance, also when an invoice is paid after the end.
    const waits =
      isSent && plans.some(({ unitPrice }, at) => unitPrice < (plans[at - 1]?.unitPrice ?? 0));
    const isRefunded = credit === 'refund' && isOnlyMoney && before === 0 && !waits;
    if (isRefunded) expect(await it.balance()).toBe(0);
    for (const { id } of invoices) {
      expect((await explainInvoice(it.fresh(), id)).differences).toEqual([]);
    }
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
  const effort = { cases: 8, milliseconds: 5_000 };
  await tried('several-intervals.property.test.ts', property, effort);
});
