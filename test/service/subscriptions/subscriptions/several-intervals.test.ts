import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { commitmentTerm } from '#domain/subscriptions/commands/subscriptions/commitment-term.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { test } from '../../../support/test.ts';

/** A plan at a price for some days. */
const planOf = async (session: Session, unitPrice: number, intervalCount: number) => ({
  priceId: await aPriceOf(session, { unitPrice, intervalUnit: 'day', intervalCount }),
  quantity: 1,
});

test('a change of the interval counts for the term that ends by its used part, and for the new one by its price', async ({
  session,
}) => {
  const commitment = { amount: 1_000, trueUp: 'at_end', counts: 'all' } as const;
  const it = await anEndable(session, { commitment });
  const term = async () => commitmentTerm(it.fresh(), await it.current());
  await it.toDay(15);
  await it.adjust([await planOf(it.fresh(), 2_000, 60)]);
  expect(await term()).toMatchObject({ committed: 2_000, reached: 2_000, missing: 0 });
  await it.toDay(80);
  expect(await term()).toMatchObject({ committed: 2_000, reached: 2_000, missing: 0 });
  const of = { customerId: it.customer.id };
  const lines = await it.fresh().em.find(InvoiceLineItem, of, { orderBy: { position: 'asc' } });
  expect(lines.map(({ type, amount }) => [type, amount])).toEqual([
    ['static', 1_000],
    ['static', 1_500],
    ['static', 2_000],
  ]);
  await expectMoneyToAgree(session);
});

test('a change to an interval at the same price counts for both terms alike', async ({
  session,
}) => {
  const commitment = { amount: 1_000, trueUp: 'at_end', counts: 'all' } as const;
  const it = await anEndable(session, { commitment });
  await it.toDay(15);
  await it.adjust([await planOf(it.fresh(), 1_000, 60)]);
  expect(await commitmentTerm(it.fresh(), await it.current())).toMatchObject({ reached: 1_000 });
});

test('an end after two changes of the interval refunds through the payments of all of them', async ({
  session,
}) => {
  const it = await anEndable(session);
  await it.toDay(15);
  await it.adjust([await planOf(it.fresh(), 4_000, 60)]);
  await it.toDay(30);
  await it.adjust([await planOf(it.fresh(), 9_000, 90)]);
  expect((await it.payments()).map(({ amount }) => amount)).toEqual([1_000, 3_500, 6_000]);
  await it.toDay(31);
  const effect = { credited: 0, refunded: 8_900, writtenOff: 0 };
  const cancellation = { timing: 'immediately', credit: 'refund' } as const;
  expect(await it.previewCancel(cancellation)).toMatchObject(effect);
  await it.cancel(cancellation);
  expect(await it.balance()).toBe(0);
  expect((await it.payments()).map(({ refundedAmount }) => refundedAmount)).toEqual([
    0, 2_900, 6_000,
  ]);
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
});

test('an end after a change of the interval leaves the used part of sent invoices to be paid', async ({
  session,
}) => {
  const it = await anEndable(session, { collectionMethod: 'send_invoice', daysUntilDue: 90 });
  await it.toDay(15);
  await it.adjust([await planOf(it.fresh(), 4_000, 60)]);
  await it.toDay(30);
  const cancellation = { timing: 'immediately', credit: 'refund' } as const;
  expect(await it.previewCancel(cancellation)).toMatchObject({ writtenOff: 3_000 });
  await it.cancel(cancellation);
  const charged = (await it.invoices()).reduce((sum, { total }) => sum + total, 0);
  expect(charged).toBe(4_500);
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
});

test('the credit of a cheaper interval is given once the payments of all sent invoices exceed what they charge for', async ({
  session,
}) => {
  await updateOrganization(session, { organization: { prorationCredit: 'balance' } });
  const it = await anEndable(session, { collectionMethod: 'send_invoice', daysUntilDue: 90 });
  await it.toDay(15);
  await it.adjust([await planOf(it.fresh(), 4_000, 60)]);
  await it.toDay(30);
  await it.adjust([await planOf(it.fresh(), 1_000, 90)]);
  const balances: number[] = [];
  for (const { id: invoiceId, total: amount } of await it.invoices()) {
    await recordPayment(it.fresh(), { invoiceId, amount, method: 'bank_transfer' });
    balances.push(await it.balance());
  }
  // 500 of 1,000 and 1,000 of 4,000 are used; 1,000 is the price of the third plan.
  expect(balances).toEqual([0, 2_000]);
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
});

test('what an end refunds of an earlier payment still counts for the term that had used it', async ({
  session,
}) => {
  await updateOrganization(session, { organization: { prorationCredit: 'balance' } });
  const commitment = { amount: 100, trueUp: 'at_end', counts: 'all' } as const;
  const it = await anEndable(session, { commitment });
  for (const [day, unitPrice, length] of [
    [3, 4_000, 60],
    [6, 1_000, 90],
    [9, 3_000, 120],
  ] as const) {
    await it.toDay(day);
    await it.adjust([await planOf(it.fresh(), unitPrice, length)]);
  }
  await it.toDay(12);
  await it.cancel({ timing: 'immediately', credit: 'refund' });
  const of = { customerId: it.customer.id, type: 'commitment' } as const;
  expect(await it.fresh().em.count(InvoiceLineItem, of)).toBe(0);
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
});
