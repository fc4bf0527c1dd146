import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { test } from '../../../support/test.ts';

const now = { timing: 'immediately' } as const;

describe('an immediate end within a paid period', () => {
  test('gives nothing back unless the caller says so', async ({ session }) => {
    const it = await anEndable(session);
    await it.toDay(15);
    expect(await it.cancel(now)).toMatchObject({ status: 'canceled', cancellationCredit: 'none' });
    expect(await it.notes()).toEqual([]);
    expect(await it.balance()).toBe(0);
  });

  test('credits the unused part to the balance, with a credit note', async ({ session }) => {
    const it = await anEndable(session);
    await it.toDay(15);
    expect(await it.previewCancel({ ...now, credit: 'balance' })).toMatchObject({
      canCancel: true,
      endsAt: it.day(15),
      credited: 500,
      refunded: 0,
      writtenOff: 0,
    });
    expect(await it.current()).toMatchObject({ status: 'active', cancelScheduledAt: null });
    await it.cancel({ ...now, credit: 'balance' });
    expect(await it.balance()).toBe(500);
    expect(await it.notes()).toMatchObject([
      { total: 500, creditedAmount: 500, reason: 'period_cut_short', status: 'settled' },
    ]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('refunds it through the payment of the period', async ({ session }) => {
    const it = await anEndable(session);
    await it.toDay(10);
    expect(await it.previewCancel({ ...now, credit: 'refund' })).toMatchObject({ refunded: 667 });
    await it.cancel({ ...now, credit: 'refund' });
    expect(await it.payments()).toMatchObject([{ amount: 1000, refundedAmount: 667 }]);
    expect((await it.invoices())[0]).toMatchObject({ status: 'partially_refunded' });
    expect(await it.balance()).toBe(0);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('refunds it through all payments for a period that changes of the interval began', async ({
    session,
  }) => {
    const it = await anEndable(session, { unitPrice: 3_000 });
    const lasting = (unitPrice: number, intervalCount: number) =>
      aPriceOf(it.fresh(), { unitPrice, intervalUnit: 'day', intervalCount });
    for (const [day, unitPrice, days] of [
      [10, 9_000, 60],
      [20, 30_000, 100],
      [30, 90_000, 200],
    ] as const) {
      await it.toDay(day);
      await it.adjust([{ priceId: await lasting(unitPrice, days) }]);
    }
    await it.toDay(50);
    const effect = { refunded: 81_000, credited: 0, writtenOff: 0 };
    expect(await it.previewCancel({ ...now, credit: 'refund' })).toMatchObject(effect);
    await it.cancel({ ...now, credit: 'refund' });
    expect([await it.refunded(), await it.balance()]).toEqual([81_000, 0]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('puts on the balance what the payments cannot return', async ({ session }) => {
    const it = await anEndable(session);
    const [first] = await it.invoices();
    await createCreditNote(it.fresh(), {
      creditNote: {
        invoiceId: first?.id ?? '',
        amount: 400,
        settle: 'credit',
        reason: 'other',
      } as never,
    });
    await it.toDay(33);
    expect(await it.balance()).toBe(0);
    await it.cancel({ ...now, credit: 'refund' });
    expect([await it.refunded(), await it.balance()]).toEqual([600, 300]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('reduces an open invoice in place of giving money', async ({ session }) => {
    const it = await anEndable(session, { collectionMethod: 'send_invoice', daysUntilDue: 40 });
    await it.toDay(15);
    const effect = { credited: 0, refunded: 0, writtenOff: 500 };
    expect(await it.previewCancel({ ...now, credit: 'refund' })).toMatchObject(effect);
    await it.cancel({ ...now, credit: 'refund' });
    expect(await it.invoices()).toMatchObject([{ status: 'open', total: 1000, amountWaived: 500 }]);
    expect(await it.balance()).toBe(0);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('voids an open invoice of which nothing was used', async ({ session }) => {
    const it = await anEndable(session, { collectionMethod: 'send_invoice', daysUntilDue: 40 });
    await it.cancel({ ...now, credit: 'balance' });
    expect(await it.invoices()).toMatchObject([{ status: 'void' }]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('returns nothing in a trial', async ({ session }) => {
    const it = await anEndable(session, { trialDays: 10 });
    await it.toDay(5);
    await it.cancel({ ...now, credit: 'balance' });
    expect([await it.balance(), await it.notes()]).toEqual([0, []]);
  });
});

test('a customer cannot give itself money back', async ({ session }) => {
  const it = await anEndable(session);
  const customers = { ...it.fresh(), customerId: it.customer.id };
  const credit = { id: it.id, cancellation: { ...now, credit: 'refund' } } as const;
  await expect(cancelSubscription(customers, credit)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
