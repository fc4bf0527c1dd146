// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { trueUpTimings } from '#domain/model/subscriptions/commitment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { aCharge } from '../../../support/records/one-off-charges.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const script = fc.record({
  unitPrice: fc.integer({ min: 1, max: 9_999 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  days: fc.integer({ min: 1, max: 40 }),
  tax: fc.constantFrom(
    {},
    ...['19', '8.875'].flatMap((taxRatePercentage) =>
      [true, false].map((taxInclusive) => ({
        taxType: 'vat' as const,
        taxRatePercentage,
        taxInclusive,
      })),
    ),
  ),
  discount: fc.option(
    fc.record({
      amountType: fc.constantFrom('percent' as const, 'fixed' as const),
      amount: fc.integer({ min: 1, max: 100 }),
    }),
  ),
  isSent: fc.boolean(),
  /** Another quantity within the period, as a part of it. */
  change: fc.option(
    fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), quantity: fc.nat({ max: 5 }) }),
  ),
  end: fc.double({ min: 0, max: 0.999, noNaN: true }),
  credit: fc.constantFrom('balance' as const, 'refund' as const),
});

test('an early end returns what a change to a free plan would, and never more than was charged', async ({
  database,
}) => {
  const property = fc.asyncProperty(script, async (given) => {
    const { days, tax, discount, isSent, change, end, credit } = given;
    const { session } = await aTenant(database.orm.em);
    await updateOrganization(session, { organization: { prorationCredit: 'balance', ...tax } });
    const code = discount && (await aDiscount(session, { ...discount, duration: 'forever' }));
    const begin = async () => {
      const { unitPrice, quantity } = given;
      const it = await anEndable(session, {
        ...{ unitPrice, quantity, days },
        ...(code && { discountCode: code.code }),
        ...(isSent && { collectionMethod: 'send_invoice' as const, daysUntilDue: 90 }),
      });
      const [item] = await it.items();
      const changesAt = change && Math.min(change.at, end);
      if (change && changesAt != null && change.quantity > 0) {
        await it.toDay(changesAt * days);
        await it.adjust([{ id: item?.id ?? '', quantity: change.quantity }]);
      }
      await it.toDay(end * days);
      return { ...it, item };
    };
    const it = await begin();
    const charged = (await it.invoices()).filter(({ status }) => status !== 'void');
    const before = await it.balance();
    const cancellation = { timing: 'immediately', credit } as const;
    const preview = await it.previewCancel(cancellation);
    expect(preview).toMatchObject({ canCancel: true, reason: null });
    await it.cancel(cancellation);
    const { credited = 0, refunded = 0, writtenOff = 0 } = preview;
    expect(await it.balance()).toBe(before + credited);
    expect(await it.refunded()).toBe(refunded);
    const returned = credited + refunded + writtenOff;
    expect(returned + before).toBeLessThanOrEqual(
      charged.reduce((sum, { total }) => sum + total, 0),
    );
    await it.toDay(days + 1);
    expect(await it.refunded()).toBe(refunded);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
    if (isSent) {
      expect([credited, refunded]).toEqual([0, 0]);
      return;
    }
    const other = await begin();
    const free = { priceId: other.item?.priceId ?? '', unitPrice: 0, quantity: 1 };
    await other.adjust([free]);
    expect((await other.balance()) - before).toBe(credited + refunded);
  });
  await tried('early-end.property.test.ts', property, { cases: 8, milliseconds: 4_000 });
});

/** The share of an amount that is used of a period of some days, rounded half up. */
const usedOf = (amount: number, from: Date, to: Date, days: number) =>
  proportion(amount, to.getTime() - from.getTime(), days * 86_400_000);

test('the returned part is the unused time times the charge, rounded once, with the tax of a credit note', async ({
  database,
}) => {
  const given = fc.record({
    unitPrice: fc.integer({ min: 1, max: 99_999 }),
    quantity: fc.integer({ min: 1, max: 4 }),
    days: fc.integer({ min: 1, max: 40 }),
    rate: fc.constantFrom('0', '5', '7.7', '8.875', '21'),
    taxInclusive: fc.boolean(),
    discount: fc.option(fc.integer({ min: 1, max: 90 })),
    oneOff: fc.option(fc.integer({ min: 1, max: 5_000 })),
    isSent: fc.boolean(),
    end: fc.double({ min: 0, max: 0.999, noNaN: true }),
    credit: fc.constantFrom('balance' as const, 'refund' as const),
  });
  const property = fc.asyncProperty(given, async (it) => {
    const { unitPrice, quantity, days, rate, taxInclusive, discount, oneOff, isSent, credit } = it;
    const { session } = await aTenant(database.orm.em);
    const tax = { taxType: 'vat' as const, taxRatePercentage: rate, taxInclusive };
    await updateOrganization(session, { organization: tax });
    const code =
      discount &&
      (await aDiscount(session, { amountType: 'percent', amount: discount, duration: 'forever' }));
    const own = await anEndable(session, {
      ...{ unitPrice, quantity, days },
      ...(code && { discountCode: code.code }),
      ...(isSent && { collectionMethod: 'send_invoice' as const, daysUntilDue: 200 }),
    });
    if (oneOff) await aCharge(session, own.id, { unitPrice: oneOff });
    const ends = days * (1 + it.end);
    await own.toDay(ends);
    const invoice = (await own.invoices()).at(-1);
    const cancellation = { timing: 'immediately', credit } as const;
    const preview = await own.previewCancel(cancellation);
    await own.cancel(cancellation);

    const listed = unitPrice * quantity;
    const charged = listed - proportion(listed, discount ?? 0, 100);
    const net = charged - usedOf(charged, own.day(days), own.day(ends), days);
    const rule = {
      ...tax,
      ratePercentage: rate,
      inclusive: taxInclusive,
      country: null,
      state: null,
    };
    const { total } = amountsOf(net, rule);
    const { credited = 0, refunded = 0, writtenOff = 0 } = preview;
    expect(credited + refunded + writtenOff).toBe(Math.min(total, invoice?.total ?? 0));
    expect([await own.balance(), await own.refunded()]).toEqual([credited, refunded]);
    const notes = await own.notes();
    const isVoid = (await own.invoices()).at(-1)?.status === 'void';
    if (!isVoid) {
      expect(notes.reduce((sum, note) => sum + note.subtotal, 0)).toBe(net);
      expect(notes.reduce((sum, note) => sum + note.total, 0)).toBe(
        credited + refunded + writtenOff,
      );
    }
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
  await tried('early-end.property.test.ts: amounts', property, { cases: 10, milliseconds: 4_000 });
});

test('a credit never lets a term cost less than its commitment', async ({ database }) => {
  const given = fc.record({
    unitPrice: fc.integer({ min: 1, max: 9_999 }),
    amount: fc.integer({ min: 1, max: 30_000 }),
    days: fc.integer({ min: 1, max: 40 }),
    trueUp: fc.constantFrom(...trueUpTimings),
    isSent: fc.boolean(),
    taxInclusive: fc.boolean(),
    /** Another quantity within the period, as a part of the time until the end. */
    change: fc.option(
      fc.record({
        at: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        quantity: fc.integer({ min: 1, max: 5 }),
      }),
    ),
    end: fc.double({ min: 0.01, max: 0.999, noNaN: true }),
    isScheduled: fc.boolean(),
    credit: fc.constantFrom('balance' as const, 'refund' as const),
  });
  const property = fc.asyncProperty(given, async (it) => {
    const { unitPrice, amount, days, trueUp, isSent, taxInclusive, change, credit } = it;
    const { session } = await aTenant(database.orm.em);
    const tax = { taxType: 'vat' as const, taxRatePercentage: '19', taxInclusive };
    await updateOrganization(session, { organization: { prorationCredit: 'balance', ...tax } });
    const own = await anEndable(session, {
      ...{ unitPrice, quantity: 2, days, commitment: { amount, trueUp, counts: 'all' } },
      ...(isSent && { collectionMethod: 'send_invoice' as const, daysUntilDue: 200 }),
    });
    const [item] = await own.items();
    const ends = it.end * days;
    const changes = ends * (change?.at ?? 0);
    if (change) {
      await own.toDay(changes);
      await own.adjust([{ id: item?.id ?? '', quantity: change.quantity }]);
    }
    if (it.isScheduled) {
      await own.cancel({ timing: 'at_date', cancelAt: own.day(ends), credit });
      await own.toDay(days * 2);
    } else {
      await own.toDay(ends);
      await own.cancel({ timing: 'immediately', credit });
    }

    const [start, changed, ended] = [own.day(0), own.day(changes), own.day(ends)];
    const used =
      usedOf(2 * unitPrice, start, changed, days) +
      usedOf((change?.quantity ?? 2) * unitPrice, changed, ended, days);
    const committed = usedOf(amount, start, ended, days);
    const invoices = (await own.invoices()).filter(({ status }) => status !== 'void');
    const charged = invoices.reduce((sum, { subtotal }) => sum + subtotal, 0);
    const returned = (await own.notes()).reduce((sum, { subtotal }) => sum + subtotal, 0);
    expect(charged - returned).toBe(Math.max(committed, used));
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
  const effort = { cases: 8, milliseconds: 4_000 };
  await tried('early-end.property.test.ts: commitments', property, effort);
});
